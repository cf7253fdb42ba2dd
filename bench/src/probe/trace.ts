import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { nowMs } from '../processes/clock.ts'
import { findOwners } from './find-owners.ts'

/** An operation of a service, with its time. */
export interface Mark {
  readonly at: number
  readonly what:
    | 'request-in'
    | 'reply-out'
    | 'frame-out'
    | 'sql'
    | 'sql-end'
    | 'publish'
    | 'confirm'
    | 'log-entry'
    | 'redis'
    | 'redis-end'
  /** Method and path, name of the statement, routing key, or Redis command; empty for a frame of a link. */
  readonly name: string
}

type Method = (this: unknown, ...args: unknown[]) => unknown
type Note = (what: Mark['what'], name: string) => void

/**
 * Records what this process does with HTTP, PostgreSQL, RabbitMQ and Redis, by wrapping the methods of the libraries. The
 * returned function stops that and returns the marks.
 */
export async function startTrace(): Promise<() => Mark[]> {
  const marks: Mark[] = []
  const note: Note = (what, name) => marks.push({ at: nowMs(), what, name })
  const undo = [traceHttp(note), traceLinks(note)]
  for (const trace of [tracePostgres, traceRabbitmq, traceRedis]) undo.push(await trace(note))
  return () => {
    for (const one of undo) one()
    return marks
  }
}

function traceHttp(note: Note): () => void {
  const pathOf = (url = '') => url.split('?')[0]
  const onRequest = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    note('request-in', `${request.method} ${pathOf(request.url)}`)
  }
  subscribe('http.server.request.start', onRequest)
  // When the reply begins; its end is only observable after the other side has it.
  const undoReply = wrap(
    ServerResponse.prototype,
    'writeHead',
    (original) =>
      function (this: unknown, ...args) {
        const { req } = this as ServerResponse
        note('reply-out', `${req.method} ${pathOf(req.url)}`)
        return original.apply(this, args)
      },
  )
  return () => {
    unsubscribe('http.server.request.start', onRequest)
    undoReply()
  }
}

/** Frames to the gateway: what came over a link has no HTTP answer. */
function traceLinks(note: Note): () => void {
  return wrap(
    Socket.prototype,
    'write',
    (original) =>
      function (this: unknown, ...args) {
        // Whose connection was upgraded by the other side.
        const { server, _httpMessage } = this as { server?: unknown; _httpMessage?: unknown }
        if (server && !_httpMessage) note('frame-out', '')
        return original.apply(this, args)
      },
  )
}

function tracePostgres(note: Note): Promise<() => void> {
  return wrapAll(
    // Only clients are traced; a pool passes its queries to them.
    'getTypeParser',
    'query',
    (original) =>
      function (this: unknown, ...args) {
        const [config] = args
        const { name, text } =
          typeof config === 'string'
            ? { name: undefined, text: config }
            : (config as { name?: string; text?: string })
        const label = name ?? text?.trim().slice(0, 40) ?? ''
        note('sql', label)
        // A pool passes a callback, all other callers wait for the promise.
        const callback = args.at(-1)
        if (typeof callback === 'function') {
          args[args.length - 1] = (...results: unknown[]) => {
            note('sql-end', label)
            callback(...results)
          }
          return original.apply(this, args)
        }
        const result = original.apply(this, args)
        if (result instanceof Promise)
          result.then(
            () => note('sql-end', label),
            () => {},
          )
        return result
      },
  )
}

async function traceRabbitmq(note: Note): Promise<() => void> {
  const undoPublish = await wrapAll(
    // Only channels with confirms.
    'waitForConfirms',
    'publish',
    (original) =>
      function (this: unknown, ...args) {
        const [, key, , , confirmed] = args
        note('publish', String(key))
        if (typeof confirmed === 'function') {
          args[4] = (...results: unknown[]) => {
            note('confirm', String(key))
            confirmed(...results)
          }
        }
        return original.apply(this, args)
      },
  )
  const undoDeliver = await wrapAll(
    'dispatchMessage',
    'dispatchMessage',
    (original) =>
      function (this: unknown, ...args) {
        const [fields] = args as [{ routingKey?: string } | undefined]
        note('log-entry', fields?.routingKey ?? '')
        return original.apply(this, args)
      },
  )
  return () => {
    undoPublish()
    undoDeliver()
  }
}

function traceRedis(note: Note): Promise<() => void> {
  return wrapAll(
    // For a cluster, the connections to its nodes.
    'monitor',
    'sendCommand',
    (original) =>
      function (this: unknown, ...args) {
        const [command] = args as [{ name: string; promise: Promise<unknown> }]
        note('redis', command.name)
        command.promise.then(
          () => note('redis-end', command.name),
          () => {},
        )
        return original.apply(this, args)
      },
  )
}

/** Applies it to the method of all live objects that also have the method `mark`. */
async function wrapAll(mark: string, name: string, make: (original: Method) => Method): Promise<() => void> {
  const undo = (await findOwners(mark, name)).map((owner) => wrap(owner, name, make))
  return () => {
    for (const one of undo) one()
  }
}

/** Replaces a method; the returned function restores the original. */
function wrap(prototype: object, name: string, make: (original: Method) => Method): () => void {
  const methods = prototype as Record<string, Method>
  const original = methods[name]
  if (!original) throw new Error(`there is no method ${name} to trace`)
  methods[name] = make(original)
  return () => {
    methods[name] = original
  }
}
