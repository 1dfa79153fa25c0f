// The operation event.check_trace.

import {EVENT_CHECK_TRACE} from '../shared/form_data.mjs';
import {Calls} from './calls.mjs';
import {faultsOf} from './faults.mjs';
import {isBad} from '../shared/forms.mjs';
import {Findings} from '../shared/findings.mjs';

/** `{result}` or `{error}`: whether events can have come from a recorder. */
export function checkTrace(input) {
  if (isBad(EVENT_CHECK_TRACE, input)) return {error: {code: 'invalid_input'}}; // EVT-001
  const findings = new Findings();
  const calls = new Calls();
  for (const [at, event] of input.events.entries()) {
    for (const name of faultsOf(event)) { // EVT-061
      findings.add('event_malformed', ['events', at, ...(name === null ? [] : [name])]);
    }
    const code = calls.pass(event, at);
    if (code !== null) findings.add(code, ['events', at]);
  }
  for (const at of calls.open()) findings.add('planned_without_result', ['events', at]);
  return {result: {findings: findings.sorted()}};
}
