import { parseArgs } from 'node:util'

/** The parts of the benchmark, in the order in which they run. */
export const sectionNames = [
  'parts',
  'send',
  'latency',
  'moves',
  'delivery',
  'breakdown',
  'rendering',
  'narrow',
  'search',
  'flags',
  'presence',
  'queues',
  'signing-in',
  'memory',
  'register',
] as const
export type SectionName = (typeof sectionNames)[number]

export interface Options {
  readonly sections: readonly SectionName[]
  readonly isQuick: boolean
  readonly writesDocs: boolean
  readonly isProfiling: boolean
}

/** What `npm run bench -- --help` explains; a test compares the two. */
export const benchFlags = {
  only: { type: 'string', multiple: true },
  quick: { type: 'boolean' },
  'write-docs': { type: 'boolean' },
  profile: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/** Reads the flags. Throws an error whose message is meant for the user. */
export function parseOptions(args: string[]): Options {
  const { values } = parseArgs({ args, options: benchFlags, allowPositionals: false })
  const wanted = (values.only ?? []).flatMap((text) => text.split(',')).map((text) => text.trim())
  for (const name of wanted) {
    if (!sectionNames.some((known) => known === name)) {
      throw new Error(`--only ${name}: one or several of ${sectionNames.join(', ')}`)
    }
  }
  const sections = sectionNames.filter((name) => wanted.length === 0 || wanted.includes(name))
  if (values['write-docs'] && sections.length < sectionNames.length) {
    throw new Error('--write-docs needs a whole run, without --only')
  }
  return {
    sections,
    isQuick: values.quick ?? false,
    writesDocs: values['write-docs'] ?? false,
    isProfiling: values.profile ?? false,
  }
}
