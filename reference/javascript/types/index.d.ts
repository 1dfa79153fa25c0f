export * from './payload.js';
export * from './capability.js';
export * from './event.js';
export * from './extraction.js';
export * from './turn.js';
