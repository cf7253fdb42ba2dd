import tlds from 'tlds' with { type: 'json' }

/** More often extensions of files than top-level domains, where users write them. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(['java', 'md', 'mov', 'py', 'rs', 'sh', 'zip'])

const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(tlds.filter((name) => !FILE_ENDINGS.has(name)))

/** Whether a name with this ending is a host, as users write it: in small letters. */
export function isTopLevelDomain(name: string): boolean {
  return TOP_LEVEL_DOMAINS.has(name)
}
