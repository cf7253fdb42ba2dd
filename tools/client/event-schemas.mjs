// The events that clients receive, from the AsyncAPI document.

/** Schemas of the events and of all types they refer to, by name. */
export function eventSchemas({ channels, components }) {
  const found = {}
  const collect = (part) => {
    if (Array.isArray(part)) return part.forEach(collect)
    if (typeof part !== 'object' || part === null) return
    if (typeof part.$ref === 'string') {
      const name = part.$ref.split('/').at(-1)
      if (name in found) return
      found[name] = components.schemas[name]
      collect(found[name])
    }
    Object.values(part).forEach(collect)
  }
  collect(listEvents(channels).map(({ payload }) => payload))
  return found
}

/** The interface of events by their type. */
export function eventInterface({ channels }) {
  const names = {}
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

const listEvents = (channels) => Object.values(channels.client_events.messages)
