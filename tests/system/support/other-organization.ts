import { internal, type Role } from '@tms/contracts'
import { createInternalClient, createInternalTokenSource } from '@tms/service-kit'
import { type Account, ApiClient, type TestOrganization, type TestSystem } from '@tms/test-kit'

/** A second organization, which can be deactivated and reactivated. */
export interface OtherOrganization extends Pick<TestOrganization, 'realmId' | 'owner' | 'anonymous'> {
  /** Of its URL, and so of its bots' addresses. */
  readonly hostname: string
  createUser(options?: { role?: Role }): Promise<ApiClient>
  /** The account's client at another gateway. */
  clientAt(gatewayUrl: string, account: Account | null): ApiClient
  /** The commands of operators. */
  reactivate(): Promise<void>
}

let organizations = 0

/** Creates an organization with an owner. */
export async function newOrganization(product: TestSystem): Promise<OtherOrganization> {
  const { system } = product
  const stringId = `other-${++organizations}`
  const host = `${stringId}.${system.externalHost}`
  const call = createInternalClient(
    system.urls,
    createInternalTokenSource('tests', system.keys.internal.privateKey),
  )
  const { realmId, owner, anonymous, createUser } = await product.createOrganization(stringId)
  return {
    realmId,
    owner,
    anonymous,
    hostname: new URL(`http://${host}`).hostname,
    createUser: (options) => createUser(undefined, options),
    clientAt: (url, account) => new ApiClient(url, account, undefined, host),
    reactivate: async () =>
      void (await call(internal.realm.setRealmActivity, { string_id: stringId, is_active: true })),
  }
}

/** The password of a user of another organization. */
export function passwordOf(email: string): string {
  return `password of ${email}`
}
