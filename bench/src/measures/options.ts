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
  'mentions',
  'queues',
  'nchan',
  'signing-in',
  'changes',
  'memory',
  'register',
] as const
/** Long parts that need several replicas; they run only when they are named. */
export const replicatedSectionNames = ['handover', 'scale'] as const
export type SectionName = (typeof sectionNames)[number] | (typeof replicatedSectionNames)[number]

/** Whether these parts run on a system with several replicas. */
export const areReplicated = (sections: readonly SectionName[]): boolean =>
  sections.some((name) => replicatedSectionNames.some((known) => known === name))

export interface Options {
  readonly sections: readonly SectionName[]
  readonly isQuick: boolean
  readonly writesDocs: boolean
  readonly isProfiling: boolean
}

/** The explanation in `npm run bench -- --help`; a test compares the two. */
export const benchFlags = {
  only: { type: 'string', multiple: true },
  quick: { type: 'boolean' },
  'write-docs': { type: 'boolean' },
  profile: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/** Parses the flags. Throws an error whose message is for the user. */
export function parseOptions(args: string[]): Options {
  const { values } = parseArgs({ args, options: benchFlags, allowPositionals: false })
  const wanted = (values.only ?? []).flatMap((text) => text.split(',')).map((text) => text.trim())
  const all: readonly SectionName[] = [...sectionNames, ...replicatedSectionNames]
  for (const name of wanted) {
    if (!all.some((known) => known === name)) {
      throw new Error(`--only ${name}: one or several of ${all.join(', ')}`)
    }
  }
  const sections = wanted.length === 0 ? sectionNames : all.filter((name) => wanted.includes(name))
  const replicated = sections.filter((name) => areReplicated([name]))
  if (replicated.length > 0 && replicated.length < sections.length) {
    throw new Error(`${replicated.join(', ')} cannot run together with other parts`)
  }
  const whole = replicated.length > 0 ? replicatedSectionNames.length : sectionNames.length
  if (values['write-docs'] && sections.length < whole) {
    throw new Error(
      `--write-docs needs a whole run: without --only, or with --only ${replicatedSectionNames.join(',')}`,
    )
  }
  return {
    sections,
    isQuick: values.quick ?? false,
    writesDocs: values['write-docs'] ?? false,
    isProfiling: values.profile ?? false,
  }
}
