import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { allEndpoints, endpoints, internal } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { repoRoot } from './support/repository.ts'

type Handlers = Record<string, unknown>

/** The build output of a service; the compiler checks that types match. */
async function handlersOf(service: string): Promise<{ handlers: Handlers; internalHandlers: Handlers }> {
  const path = join(repoRoot, 'services', service, 'src', 'handlers.ts')
  const module = (await import(pathToFileURL(path).href)) as {
    handlers: Handlers
    internalHandlers?: Handlers
  }
  return { handlers: module.handlers, internalHandlers: module.internalHandlers ?? {} }
}

describe('endpoints', () => {
  test.each(Object.entries(endpoints))(
    '%s serves exactly the endpoints that it owns',
    async (owner, owned) => {
      const { handlers } = await handlersOf(owner)
      expect(Object.keys(handlers).sort()).toEqual(Object.keys(owned).sort())
      for (const handle of Object.values(handlers)) expect(handle).toBeInstanceOf(Function)
    },
  )

  test.each(Object.entries(internal))(
    '%s serves exactly the internal calls that it owns',
    async (owner, owned) => {
      const { internalHandlers } = await handlersOf(owner)
      expect(Object.keys(internalHandlers).sort()).toEqual(Object.keys(owned).sort())
    },
  )

  test('are declared by their owner under their own name', () => {
    for (const [owner, owned] of Object.entries({ ...endpoints })) {
      for (const [name, endpoint] of Object.entries(owned)) {
        expect([endpoint.owner, endpoint.name]).toEqual([owner, name])
      }
    }
  })

  test('limit the length of every text parameter', () => {
    const unbounded = allEndpoints.flatMap(({ name, pathParameters, parameters }) =>
      Object.entries({ ...pathParameters, ...parameters })
        .filter(([, { schema }]) => schema instanceof z.ZodString && schema.maxLength === null)
        .map(([parameter]) => `${name}: ${parameter}`),
    )
    expect(unbounded).toEqual([])
  })

  test('are open to spectators only if the list of this test says so', () => {
    const reached = allEndpoints.filter(({ auth }) => auth === 'user-or-spectator').map(({ name }) => name)
    expect(reached.sort()).toEqual(['getFile', 'getMessage', 'getMessages', 'listTopics', 'register'])
  })

  test('declare the scope that a caller with an API token needs', () => {
    const without = allEndpoints.filter(({ auth, tokenAccess }) => auth !== 'public' && tokenAccess === null)
    expect(without.map(({ name }) => name)).toEqual([])
  })

  test('are open to API tokens that are limited to channels only if this list says so, with the parameters that name the channel', () => {
    const open = allEndpoints.filter(({ channelParameters }) => channelParameters.length > 0)
    expect(Object.fromEntries(open.map(({ name, channelParameters }) => [name, channelParameters]))).toEqual({
      sendMessage: ['to'],
      getMessages: ['narrow'],
      getMessage: ['message_id'],
      editMessage: ['message_id', 'stream_id'],
      getMessageHistory: ['message_id'],
      deleteMessage: ['message_id'],
      addReaction: ['message_id'],
      removeReaction: ['message_id'],
      updateMessageFlags: ['messages'],
      updateFlagsForNarrow: ['narrow'],
      markChannelAsRead: ['stream_id'],
      markTopicAsRead: ['stream_id'],
      getReadReceipts: ['message_id'],
      getChannel: ['stream_id'],
      getChannelId: ['stream'],
      listTopics: ['stream_id'],
    })
    for (const { owner, channelParameters, pathParameters, parameters } of open) {
      // The service that checks them.
      expect(owner).toBe('messaging')
      for (const name of channelParameters) expect({ ...pathParameters, ...parameters }).toHaveProperty(name)
    }
  })

  test('name every channel and message that they have parameters for, if they are open to API tokens limited to channels', () => {
    const naming = /^(to|narrow|message_ids?|messages|stream|stream_id|channel\w*|msg_ids|topic_id)$/
    const unchecked = allEndpoints
      .filter(({ channelParameters }) => channelParameters.length > 0)
      .flatMap(({ name, channelParameters, pathParameters, parameters }) =>
        Object.keys({ ...pathParameters, ...parameters })
          .filter((key) => naming.test(key) && !(channelParameters as readonly string[]).includes(key))
          .map((key) => `${name}: ${key}`),
      )
    // Messages by their IDs are those of them that the narrow contains.
    expect(unchecked).toEqual(['getMessages: message_ids'])
  })

  test('return keys, and let tokens make more of them, only where no API token is accepted', () => {
    const keyed = allEndpoints.filter(
      ({ auth, response }) =>
        auth !== 'public' &&
        /"\w*(api_key|token|secret)"/.test(
          JSON.stringify(z.toJSONSchema(response, { unrepresentable: 'any' }).properties ?? {}),
        ),
    )
    // These leave the key out for a token; getScimToken has none to show.
    const careful = ['getEvents', 'getScimToken', 'reactivateUser', 'register', 'updateBot']
    const open = keyed.filter(({ tokenAccess }) => tokenAccess !== 'none').map(({ name }) => name)
    expect(open.sort()).toEqual(careful)
  })

  test('have a unique method and path', () => {
    const methodPaths = allEndpoints.map(({ method, path }) => `${method} ${path}`)
    expect(methodPaths.filter((methodPath, i) => methodPaths.indexOf(methodPath) !== i)).toEqual([])
  })

  test('have a unique name, which metrics and logs use', () => {
    const names = allEndpoints.map(({ name }) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  test('have a unique path among internal calls', () => {
    const paths = Object.values(internal).flatMap((owned) => Object.values(owned).map(({ path }) => path))
    expect(paths.filter((path, i) => paths.indexOf(path) !== i)).toEqual([])
  })
})
