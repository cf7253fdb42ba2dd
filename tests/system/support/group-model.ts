import type { UserGroup } from '@tms/contracts'
import type { ClientEvent } from '@tms/test-kit'

interface Group {
  fields: Record<string, unknown>
  readonly members: Set<number>
  readonly subgroups: Set<number>
}

/** The user groups as a careful client stores them. An event without effect, or for a missing group, is a problem. */
export class GroupModel {
  readonly #problems: string[]
  readonly #groups = new Map<number, Group>()

  constructor(state: Record<string, unknown>, problems: string[]) {
    this.#problems = problems
    for (const group of state['realm_user_groups'] as UserGroup[]) this.#add(group)
  }

  /** Returns whether the event is about groups. */
  apply(event: ClientEvent): boolean {
    if (event.type !== 'user_group') return false
    if (event['op'] === 'add') {
      this.#add(event['group'] as UserGroup)
      return true
    }
    const id = event['group_id'] as number
    const group = this.#groups.get(id)
    if (!group) {
      this.#problems.push(`${event['op']} of group ${id}, which is not there`)
      return true
    }
    switch (event['op']) {
      case 'update':
        group.fields = { ...group.fields, ...(event['data'] as object) }
        break
      case 'add_members':
      case 'add_subgroups':
        for (const added of this.#idsOf(event)) {
          const set = this.#setOf(group, event)
          if (set.has(added)) this.#problems.push(`${added} came to group ${id} twice`)
          set.add(added)
        }
        break
      case 'remove_members':
      case 'remove_subgroups':
        for (const removed of this.#idsOf(event)) {
          if (!this.#setOf(group, event).delete(removed))
            this.#problems.push(`${removed} was not in group ${id}`)
        }
        break
      case 'remove':
        this.#groups.delete(id)
        break
      default:
        this.#problems.push(`unknown event of groups ${event['op']}`)
    }
    return true
  }

  comparable(): unknown {
    const sorted = (values: Iterable<number>) => [...values].sort((a, b) => a - b)
    return [...this.#groups]
      .map(
        ([id, { fields, members, subgroups }]) => [id, fields, sorted(members), sorted(subgroups)] as const,
      )
      .sort(([a], [b]) => a - b)
  }

  #add({ members, direct_subgroup_ids, ...fields }: UserGroup): void {
    if (this.#groups.has(fields.id)) this.#problems.push(`group ${fields.id} came twice`)
    this.#groups.set(fields.id, {
      fields,
      members: new Set(members),
      subgroups: new Set(direct_subgroup_ids),
    })
  }

  #idsOf(event: ClientEvent): number[] {
    return (event['user_ids'] ?? event['direct_subgroup_ids']) as number[]
  }

  #setOf(group: Group, event: ClientEvent): Set<number> {
    return event['user_ids'] === undefined ? group.subgroups : group.members
  }
}
