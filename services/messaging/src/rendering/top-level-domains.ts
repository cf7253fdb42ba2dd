import tlds from 'tlds' with { type: 'json' }

/** Of files, where people write them, more often than of hosts. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(['java', 'md', 'mov', 'py', 'rs', 'sh', 'zip'])

const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(tlds.filter((name) => !FILE_ENDINGS.has(name)))

/** Whether what ends like this is a host, as people write one: in small letters. */
export function isTopLevelDomain(name: string): boolean {
  return TOP_LEVEL_DOMAINS.has(name)
}
