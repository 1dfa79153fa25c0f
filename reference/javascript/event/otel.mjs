// The operation event.to_otel.

import {EVENT_TO_OTEL} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';
import {attributesOf} from './attributes.mjs';
import {BOUNDS} from './metrics.mjs';

const CONVENTIONS = 'semantic-conventions-genai 0.1.0';
const [INFO, WARN] = [9, 13];
const ERRORS_THAT_RAN = ['tool_timeout', 'tool_aborted', 'tool_error'];

/** `{result}` or `{error}`: spans, log records and measurements. */
export function toOtel(input) {
  if (isBad(EVENT_TO_OTEL, input)) return {error: {code: 'invalid_input'}}; // EVT-001
  const {events} = input;
  const ran = events.filter(hasRun);
  return {result: {
    conventions: CONVENTIONS, // EVT-081
    spans: ran.map(spanOf), // EVT-081
    logs: events.filter((event) => !hasRun(event) || event.status === 'error').map(logOf), // EVT-087
    metrics: metricsOf(ran.filter(isMeasured)),
  }};
}

/** Whether an event is what ran (event: ran). */
function hasRun({type, status, error_type: error}) {
  return type === 'ToolCallResult' && (status === 'ok' || ERRORS_THAT_RAN.includes(error));
}

function isMeasured(result) {
  return Object.hasOwn(result, 'latency_ms');
}

/** The span of a Result that ran (EVT-081). */
function spanOf(result) {
  return {
    name: `execute_tool ${result.tool}`,
    kind: 'internal',
    ...statusOf(result),
    ...(isMeasured(result) ? {duration_s: inSeconds(result.latency_ms)} : {}), // EVT-081
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.type': 'function',
      ...attributesOf(result),
    },
  };
}

/** What a span says of success (EVT-081). */
function statusOf({status, message}) {
  return status === 'error' ? {status, status_description: message} : {status: 'unset'};
}

/** The log record of a Planned, or of a Result that failed or did not run (EVT-087). */
function logOf(event) {
  const attributes = attributesOf(event);
  if (event.type === 'ToolCallPlanned') {
    return {event_name: 'commoncall.tool_call.planned', severity_number: INFO, attributes};
  }
  if (hasRun(event)) {
    const failed = {...attributes, 'exception.message': event.message};
    return {event_name: 'gen_ai.execute_tool.exception', severity_number: WARN, attributes: failed};
  }
  const body = event.message;
  return {event_name: 'commoncall.tool_call.not_run', severity_number: WARN, body, attributes};
}

/** The histogram of what ran and was measured, if anything was (EVT-090). */
function metricsOf(measured) {
  if (measured.length === 0) return [];
  return [{
    name: 'gen_ai.execute_tool.duration',
    instrument: 'histogram',
    unit: 's',
    boundaries: BOUNDS.map(inSeconds),
    measurements: measured.map((result) => ({
      value: inSeconds(result.latency_ms),
      attributes: attributesOf(result, ['tool', 'error_type']),
    })),
  }];
}

/** Milliseconds in seconds; a product with 0.001 has other digits (event: in seconds). */
function inSeconds(ms) {
  return ms / 1000;
}
