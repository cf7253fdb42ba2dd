import { availableMethods, badRequest, endpoints, type internal, Role } from '@tms/contracts'
import { decodeFields, type InternalHandler } from '@tms/service-kit'
import type { CallContext } from '../calls/call-context.ts'
import { getOrganization } from '../kernel/realms/realm.queries.ts'
import { showSettings } from '../kernel/realms/shown-settings.ts'
import { readSettings } from '../kernel/realms/stored-settings.ts'
import { changeSettings } from './change-settings.ts'

/** Operators may set any channel that an owner sees. */
const OPERATOR = { userId: 0, role: Role.owner }

/** The settings of an organization as clients receive them. Throws BAD_REQUEST. */
export const handleGetRealmSettings: InternalHandler<
  typeof internal.realm.getRealmSettings,
  CallContext
> = async ({ realm_id }, { prisma, signOn }) => {
  const organization = await getOrganization(prisma, realm_id)
  const available = availableMethods(signOn, organization.stringId)
  const { hiddenMemberIds } = organization
  return { settings: showSettings(readSettings(organization), { available, hiddenMemberIds }) }
}

/** Changes settings for an operator, all or none. Throws BAD_REQUEST, REQUEST_CONFUSING_VAR. */
export const handleChangeRealmSettings: InternalHandler<
  typeof internal.realm.changeRealmSettings,
  CallContext
> = async ({ realm_id, settings }, context, requestId) => {
  const fields = new Map(Object.entries(settings))
  const { input, ignored } = decodeFields(fields, endpoints.realm.updateRealm.parameters)
  const [unknown] = ignored
  if (unknown !== undefined) throw badRequest(`There is no setting '${unknown}'`)
  const caller = { ...OPERATOR, realmId: realm_id }
  return { changes: await changeSettings(context, caller, input, requestId) }
}
