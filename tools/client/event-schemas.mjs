// The events that clients get, as the AsyncAPI document has them.

/** Schemas of the events by name, and of what they are made of. */
export function eventSchemas({ channels, components }) {
  const found = {}
  const take = (part) => {
    if (Array.isArray(part)) return part.forEach(take)
    if (typeof part !== 'object' || part === null) return
    if (typeof part.$ref === 'string') {
      const name = part.$ref.split('/').at(-1)
      if (name in found) return
      found[name] = components.schemas[name]
      take(found[name])
    }
    Object.values(part).forEach(take)
  }
  take(eventsOf(channels).map(({ payload }) => payload))
  return found
}

/** The events by their types, which a client may ask for. */
export function eventInterface({ channels }) {
  const names = {}
  for (const { name: type, title } of eventsOf(channels)) (names[type] ??= []).push(title)
  const imported = Object.values(names).flat()
  return [
    `import type {\n${imported.map((name) => `  ${name},`).join('\n')}\n} from './answers.ts'`,
    '',
    '/** What may come in a queue, by the type under which it is asked for. */',
    'export interface EventsByType {',
    ...Object.entries(names).map(([type, all]) => `  ${type}: ${all.join(' | ')}`),
    '}',
    '',
  ].join('\n')
}

const eventsOf = (channels) => Object.values(channels.client_events.messages)
