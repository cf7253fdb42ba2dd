import type { Queryable } from '@tms/service-kit'

/** Whose calls a secret signs, and who may know it. */
export interface SecretHolder {
  readonly realmId: number
  readonly botId: number
  readonly ownerId: number | null
}

/** The secret of a bot of this owner; null if there is none yet. */
export async function findSecret(
  db: Queryable,
  { botId, ownerId }: Omit<SecretHolder, 'realmId'>,
): Promise<Buffer | null> {
  const { rows } = await db.query<{ secret: Buffer }>({
    name: 'find-webhook-secret',
    text: 'select secret from webhook_secrets where bot_id = $1 and owner_id is not distinct from $2',
    values: [botId, ownerId],
  })
  return rows[0]?.secret ?? null
}

/** Makes this the secret of a bot, unless the bot has one of this owner; `replaces` it then. Returns the one that counts. */
export async function saveSecret(
  db: Queryable,
  { realmId, botId, ownerId }: SecretHolder,
  { secret, replaces }: { readonly secret: Buffer; readonly replaces: boolean },
): Promise<Buffer> {
  const { rows } = await db.query<{ secret: Buffer }>({
    name: 'save-webhook-secret',
    text: `
      insert into webhook_secrets as present (bot_id, realm_id, owner_id, secret)
      values ($1, $2, $3, $4)
          on conflict (bot_id) do update
         set owner_id = excluded.owner_id,
             secret = case
                        when $5 or present.owner_id is distinct from excluded.owner_id then excluded.secret
                        else present.secret
                      end
      returning secret`,
    values: [botId, realmId, ownerId, secret, replaces],
  })
  return rows[0]?.secret ?? secret
}
