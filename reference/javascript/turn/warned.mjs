// A model that no registry knows gets no tools. For people, who would look for the reason elsewhere, that is said.

import {nearNames} from '../shared/near.mjs';

/** What was said: each text once, as a loop prepares the same turn again and again. */
const SAID = /* @__PURE__ */ new Set();

/** A prepared turn, after its reason was said, where that is a name that is not found, or a registry. */
export function warned(prepared, {registries, targets}) {
  if (prepared.reason === 'registry_invalid') warn('a registry does not load, so no tool is sent');
  if (prepared.reason === 'unknown_model' || prepared.reason === 'unknown_provider') {
    for (const {provider, model} of targets.filter((_, at) => prepared.matched[at] === null)) {
      const near = nearNames(String(model).toLowerCase(), registries.flatMap((each) => modelsOf(each, provider)));
      const more = near.length > 0 ? `; near it: ${near.join(', ')}` : '';
      warn(`no registry knows the model ${JSON.stringify(model)} of ${JSON.stringify(provider)}, so it gets no tools${more}`);
    }
  }
  return prepared;
}

function modelsOf(registry, provider) {
  const ofIt = ([name]) => name.toLowerCase() === String(provider).toLowerCase();
  const sections = Object.entries(registry?.providers ?? {}).filter(ofIt);
  return sections.flatMap(([, each]) => Object.keys(each?.models ?? {}));
}

function warn(text) {
  if (SAID.has(text)) return;
  SAID.add(text);
  if (globalThis.process?.emitWarning) globalThis.process.emitWarning(text, 'UnknownModelWarning');
  else console.warn(text);
}
