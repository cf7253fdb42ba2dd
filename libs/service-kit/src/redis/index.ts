// An entry point of its own, for a thread that needs nothing else: the whole kit takes a second to load on a busy
// machine, and memory.
export * from './connect.ts'
export * from './subscribe.ts'
