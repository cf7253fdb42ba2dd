import type { Queryable } from '@tms/service-kit'

/** Somebody at a provider. */
export interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
}

/** The account of somebody at a provider; null if none is known. */
export async function findAccountIdByIdentity(
  db: Queryable,
  realmId: number,
  { issuer, subject }: ExternalIdentity,
): Promise<number | null> {
  const { rows } = await db.query<{ account_id: number }>(
    'select account_id from external_identities where realm_id = $1 and issuer = $2 and subject = $3',
    [realmId, issuer, subject],
  )
  return rows[0]?.account_id ?? null
}

/** Links an account with somebody at a provider. False if either is linked with another there. */
export async function linkIdentity(
  db: Queryable,
  { id, realmId }: { readonly id: number; readonly realmId: number },
  { issuer, subject }: ExternalIdentity,
): Promise<boolean> {
  await db.query(
    `insert into external_identities (realm_id, account_id, issuer, subject)
     values ($1, $2, $3, $4)
     on conflict do nothing`,
    [realmId, id, issuer, subject],
  )
  return (await findAccountIdByIdentity(db, realmId, { issuer, subject })) === id
}

/** Ends all links of an account. */
export async function deleteIdentities(tx: Queryable, accountId: number): Promise<void> {
  await tx.query('delete from external_identities where account_id = $1', [accountId])
}
