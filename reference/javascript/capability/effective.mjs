// The operation capability.effective_tools.

import {hasMembers, isStrings} from '../shared/envelope.mjs';
import {CAPABILITY_EFFECTIVE_TOOLS} from '../shared/form_data.mjs';
import {isBad} from '../shared/forms.mjs';

/** `{result}` or `{error}`: the registered tools that the policies leave. */
export function effectiveTools(input) {
  if (isBad(CAPABILITY_EFFECTIVE_TOOLS, input)) return {error: {code: 'invalid_input'}};
  return {result: narrow(input.registered, input.layers)};
}

/** `{effective, findings}` for names and policies; nothing is left by a malformed one (CAP-024). */
export function narrow(registered, layers) {
  const names = [...new Set(registered)]; // CAP-024: a Set keeps the place of the first
  const findings = layers.flatMap((layer, n) => // CAP-030
    isPolicyLayer(layer) ? [] : [{code: 'layer_malformed', path: `/layers/${n}`}]);
  return {effective: findings.length > 0 ? [] : layers.reduce(applyLayer, names), findings};
}

/** What one policy leaves of some names (CAP-024). */
function applyLayer(names, {allow = null, exclude = []}) {
  const allowed = allow === null ? null : new Set(allow);
  const excluded = new Set(exclude);
  return names.filter((name) => (allowed?.has(name) ?? true) && !excluded.has(name));
}

/** Whether a policy can be read (capability: policy layer). */
function isPolicyLayer(layer) {
  if (!hasMembers(layer, [], ['allow', 'exclude']) || Object.keys(layer).length === 0) return false;
  const {allow = null, exclude = []} = layer;
  return (allow === null || isStrings(allow)) && isStrings(exclude);
}
