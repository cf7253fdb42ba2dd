// The events that clients receive, from the AsyncAPI document.
import type { AsyncApi, Schema } from './documents.ts'

/** Schemas of the events and of all types they refer to, by name. */
export function eventSchemas({ channels, components }: AsyncApi): Record<string, Schema> {
  const found: Record<string, Schema> = {}
  const collect = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(collect)
    if (typeof part !== 'object' || part === null) return
    if ('$ref' in part && typeof part.$ref === 'string') {
      const name = part.$ref.split('/').at(-1) ?? ''
      const schema = components.schemas[name]
      if (name in found || schema === undefined) return
      found[name] = schema
      collect(schema)
    }
    Object.values(part).forEach(collect)
  }
  collect(listEvents(channels).map(({ payload }) => payload))
  return found
}

/** The interface of events by their type. */
export function eventInterface({ channels }: AsyncApi): string {
  const names: Record<string, string[]> = {}
  for (const { name: type, title } of listEvents(channels)) (names[type] ??= []).push(title)
  const imported = Object.values(names).flat()
  return [
    `import type {\n${imported.map((name) => `  ${name},`).join('\n')}\n} from './answers.ts'`,
    '',
    '/** Events that a queue may deliver, by the type that a client requests. */',
    'export interface EventsByType {',
    ...Object.entries(names).map(([type, all]) => `  ${type}: ${all.join(' | ')}`),
    '}',
    '',
  ].join('\n')
}

const listEvents = (channels: AsyncApi['channels']) => Object.values(channels.client_events.messages)
