import type { EndpointInput, endpoints, PolicySubject } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { policySubjectOf } from '../kernel/projections/policy-subject.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { checkCallSize, getPrincipals } from './principals.ts'

/** An unsubscribe request after the checks that need no locks. */
export interface CheckedUnsubscribe {
  readonly caller: Caller
  readonly policySubject: PolicySubject
  readonly users: readonly KnownUser[]
  /** Names as sent, by their case key. */
  readonly names: ReadonlyMap<string, string>
}

/** Looks up what unsubscribe needs. Throws BAD_REQUEST. */
export async function prepareUnsubscribe(
  context: Context,
  caller: Caller,
  input: EndpointInput<typeof endpoints.messaging.unsubscribe>,
): Promise<CheckedUnsubscribe> {
  const names = new Map(input.subscriptions.map((name) => [caseKey(name.trim()), name.trim()]))
  const users = await getPrincipals(context, caller, input.principals)
  checkCallSize(names.size, users.length)
  const [realm, user] = await Promise.all([
    context.projections.getRealm(caller.realmId),
    context.projections.getUser(caller.userId),
  ])
  return { caller, policySubject: policySubjectOf(user, realm, context.now()), users, names }
}
