// The six contracts; each can be imported alone.

export * from './payload/index.mjs';
export * from './capability/index.mjs';
export * from './event/index.mjs';
export * from './extraction/index.mjs';
export * from './turn/index.mjs';
export * from './interface/index.mjs';
