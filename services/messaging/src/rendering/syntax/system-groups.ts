import { type SystemGroupName, systemGroupIds, systemGroupTitles } from '@tms/contracts'
import { caseKey } from '../../kernel/text/case-key.ts'

/** A system group as a silent mention shows it. */
export interface SilentGroup {
  readonly groupId: number
  readonly title: string
}

const groups: ReadonlyMap<string, SilentGroup> = new Map(
  Object.entries(systemGroupTitles).map(([name, title]) => [
    name,
    { groupId: systemGroupIds[name as SystemGroupName], title },
  ]),
)

/** The system group of a name such as `role:members`, which every organization has; null for another name. */
export function findSystemGroup(name: string): SilentGroup | null {
  return groups.get(caseKey(name)) ?? null
}
