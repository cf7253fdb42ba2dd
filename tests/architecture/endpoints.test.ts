import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { allEndpoints, endpoints, internal } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { repoRoot } from './support/repository.ts'

type Handlers = Record<string, unknown>

/** What the build of a service exports; that types fit is the compiler's to say. */
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
    '%s serves those that it owns and nothing else',
    async (owner, owned) => {
      const { handlers } = await handlersOf(owner)
      expect(Object.keys(handlers).sort()).toEqual(Object.keys(owned).sort())
      for (const handle of Object.values(handlers)) expect(handle).toBeInstanceOf(Function)
    },
  )

  test.each(Object.entries(internal))(
    '%s answers the calls between services that it owns',
    async (owner, owned) => {
      const { internalHandlers } = await handlersOf(owner)
      expect(Object.keys(internalHandlers).sort()).toEqual(Object.keys(owned).sort())
    },
  )

  test('are declared under their own name, by their owner', () => {
    for (const [owner, owned] of Object.entries({ ...endpoints })) {
      for (const [name, endpoint] of Object.entries(owned)) {
        expect([endpoint.owner, endpoint.name]).toEqual([owner, name])
      }
    }
  })

  test('bound every text that they take', () => {
    const unbounded = allEndpoints.flatMap(({ name, pathParameters, parameters }) =>
      Object.entries({ ...pathParameters, ...parameters })
        .filter(([, { schema }]) => schema instanceof z.ZodString && schema.maxLength === null)
        .map(([parameter]) => `${name}: ${parameter}`),
    )
    expect(unbounded).toEqual([])
  })

  test('reach spectators only where it was decided that they may', () => {
    const reached = allEndpoints.filter(({ auth }) => auth === 'user-or-spectator').map(({ name }) => name)
    expect(reached.sort()).toEqual(['getFile', 'getMessage', 'getMessages', 'listTopics', 'register'])
  })

  test('no two share a method and a path', () => {
    const places = allEndpoints.map(({ method, path }) => `${method} ${path}`)
    expect(places.filter((place, i) => places.indexOf(place) !== i)).toEqual([])
  })

  test('no two share a name, which is what metrics and logs call them by', () => {
    const names = allEndpoints.map(({ name }) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  test('no two calls between services share a path', () => {
    const paths = Object.values(internal).flatMap((owned) => Object.values(owned).map(({ path }) => path))
    expect(paths.filter((path, i) => paths.indexOf(path) !== i)).toEqual([])
  })
})
