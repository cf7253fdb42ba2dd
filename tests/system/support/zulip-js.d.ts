/** The part of a client that the tests use; the client does not know this project. */
declare module 'zulip-js' {
  type Answer = Record<string, unknown> & { result: 'success' | 'error'; msg: string }
  type Call = (params?: unknown) => Promise<Answer>

  export interface ZulipJs {
    readonly config: { readonly apiKey: string }
    callEndpoint(endpoint: string, method?: string, params?: unknown): Promise<Answer>
    callOnEachEvent(callback: (event: Record<string, unknown>) => void, types?: string[]): Promise<never>
    readonly emojis: { retrieve: Call }
    readonly events: { retrieve: Call }
    readonly filters: { retrieve: Call }
    readonly messages: {
      send: Call
      retrieve: Call
      render: Call
      update: Call
      getById: Call
      getHistoryById: Call
      deleteById: Call
      readonly flags: { add: Call; remove: Call }
    }
    readonly queues: { register: Call; deregister: Call }
    readonly reactions: { add: Call; remove: Call }
    readonly server: { settings: Call }
    readonly streams: {
      retrieve: Call
      getStreamId: Call
      deleteById: Call
      readonly subscriptions: { retrieve: Call }
      readonly topics: { retrieve: Call }
    }
    readonly typing: { send: Call }
    readonly users: {
      retrieve: Call
      create: Call
      readonly me: {
        getProfile: Call
        readonly subscriptions: { add: Call; remove: Call }
        readonly alertWords: { retrieve: Call }
        readonly pointer: { retrieve: Call; update: Call }
      }
    }
  }

  export default function init(
    config: { username: string; apiKey?: string; password?: string; realm: string } | { zuliprc: string },
  ): Promise<ZulipJs>
}
