import { badRequest, type EndpointInput, type endpoints, limits, Role } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import {
  type ChannelSettings,
  checkMayCreate,
  creationPermissionOf,
  parseChannelSettings,
} from '../channels/channel-settings.rules.ts'
import { parseChannelName } from '../channels/channel-text.rules.ts'
import { checkPermissionValues } from '../channels/check-permission-values.ts'
import { findChannelsByNames } from '../kernel/channels/channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import { type Candidate, hasRealmPermission } from '../kernel/groups/permissions.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { getNoticeSender, type NoticeSender } from '../messages/notices.ts'
import { checkMayAdd } from './check-may-add.ts'
import { checkCallSize, concernsOthers, getPrincipals } from './principals.ts'
import { parseRequestedChannels, type RequestedChannel } from './requested-channels.rules.ts'

/** A subscribe request after the checks that need no locks. */
export interface CheckedSubscribe {
  readonly caller: Caller
  readonly actor: KnownUser
  readonly users: readonly KnownUser[]
  readonly requested: readonly RequestedChannel[]
  /** The channels of `requested` to create, and their settings; null if there are none. */
  readonly missing: readonly RequestedChannel[]
  readonly settings: ChannelSettings | null
  readonly isFatal: boolean
  /** The caller, if they add others and each channel must permit that, since the organization doesn't; else null. */
  readonly adder: Candidate | null
  readonly announces: boolean
  readonly noticeSender: NoticeSender
}

/** Looks up what subscribe needs, and makes the checks that need no locks. Throws BAD_REQUEST and others. */
export async function prepareSubscribe(
  context: Context,
  caller: Caller,
  input: EndpointInput<typeof endpoints.messaging.subscribe>,
): Promise<CheckedSubscribe> {
  if (caller.role > Role.member) throw badRequest('Not allowed for guest users')
  const requested = parseRequestedChannels(input.subscriptions)
  const users = await getPrincipals(context, caller, input.principals)
  checkCallSize(requested.length, users.length)
  const [noticeSender, actor] = await Promise.all([
    getNoticeSender(context, caller.realmId),
    context.projections.getUser(caller.userId),
  ])
  const { realm } = noticeSender
  const policySubject = policySubjectOf(actor, realm, context.now())
  const candidate = { userId: caller.userId, policySubject }
  const mayAdd = () => hasRealmPermission(context.db, realm, 'can_add_subscribers_group', candidate)
  const adder = concernsOthers(caller, users) && !(await mayAdd()) ? candidate : null
  const found = await findChannelsByNames(
    context.db,
    caller.realmId,
    requested.map(({ name }) => name),
  )
  const names = new Set(found.map(({ name }) => caseKey(name)))
  const missing = requested.filter(({ name }) => !names.has(caseKey(name)))
  for (const { name } of missing) parseChannelName(name)
  const settings = missing.length > 0 ? parseChannelSettings(input, caller.userId) : null
  if (settings) {
    await checkPermissionValues(context, caller, settings.permissions)
    const isPermitted = await hasRealmPermission(context.db, realm, creationPermissionOf(settings), candidate)
    checkMayCreate({ role: policySubject.role, isPermitted }, settings, realm)
  }
  // Before the locks, so that those who may not add anybody hold nothing up.
  if (adder) await checkMayAdd(context.db, adder, settings ? [...found, settings] : found)
  if (missing.length > limits.maxNewChannelsPerCall) {
    throw badRequest(`Too many new channels (limit: ${limits.maxNewChannelsPerCall}).`)
  }
  const isFatal = input.authorization_errors_fatal ?? true
  return {
    caller,
    actor,
    users,
    requested,
    missing,
    settings,
    isFatal,
    adder,
    announces: input.announce ?? false,
    noticeSender,
  }
}
