import { domainEvents, type internal, type PushState } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { showPushState } from '../kernel/realms/push-state.ts'
import { findOrganization, lockOrganization, saveOrganization } from '../kernel/realms/realm.queries.ts'
import { toRealmProjection } from '../kernel/realms/realm-projection.ts'
import { changedSettings, type ShownSettings } from '../kernel/realms/shown-settings.ts'

/** Records what the push relay service says about organizations, each in its own transaction. */
export const handleRecordPushStates: InternalHandler<
  typeof internal.realm.recordPushStates,
  Context
> = async ({ states }, context, requestId) => {
  const failures: unknown[] = []
  // One that is just being deleted keeps no other from being recorded.
  for (const state of states)
    await record(context, state, requestId).catch((err: unknown) => failures.push(err))
  if (failures.length > 0) throw failures[0]
  return {}
}

async function record(
  { prisma, transact }: Context,
  { realm_id: realmId, can_push, expected_end_timestamp: pushEnd }: PushState,
  requestId: string,
): Promise<void> {
  const columns = { isPushRefused: !can_push, pushEnd }
  const isRecorded = (found: typeof columns) =>
    found.isPushRefused === columns.isPushRefused && found.pushEnd === columns.pushEnd
  // Nearly always nothing has changed, and then nobody has to wait for a lock.
  const found = await findOrganization(prisma, realmId)
  if (!found || isRecorded(found)) return
  await transact(async (tx) => {
    const before = await lockOrganization(tx, realmId)
    if (isRecorded(before)) return
    const after = await saveOrganization(tx, realmId, columns)
    const shown: ShownSettings = { ...showPushState(before, 'relay') }
    const changes = changedSettings(shown, { ...showPushState(after, 'relay') })
    const former = Object.fromEntries(Object.keys(changes).map((name) => [name, shown[name] ?? null]))
    const projection = toRealmProjection(after)
    const payload = { changes, before: former, projection }
    await publish(tx, domainEvents.realm.realmUpdated, payload, { realmId, requestId })
  })
}
