import type { Caller } from '@tms/service-kit'
import { editGroups, getEditableActive } from '../groups/editing.ts'
import type { Context } from '../kernel/context.ts'

/** Throws BAD_REQUEST unless the caller may add members to each of these active groups; system groups have no such members. */
export async function checkGroups(
  context: Context,
  caller: Caller,
  groupIds: readonly number[],
): Promise<void> {
  if (groupIds.length === 0) return
  await editGroups(context, caller, async (editing) => {
    for (const id of groupIds) getEditableActive(editing, id, ['can_add_members_group'])
  })
}
