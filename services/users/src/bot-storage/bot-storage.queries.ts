import type { BotData } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** How much a bot stores. */
export interface BotStorageSize {
  readonly keys: number
  /** Of keys and values. */
  readonly characters: number
}

/** What a bot has stored under these of its keys, or under all of them. */
export async function findBotStorage(
  db: Queryable,
  userId: number,
  keys: readonly string[] | undefined,
): Promise<BotData> {
  const { rows } = await db.query<{ key: string; value: string }>({
    name: 'find-bot-storage',
    text: `
      select key, value
        from bot_storage
       where user_id = $1
         and ($2::text[] is null or key = any($2))
       order by key`,
    values: [userId, keys ?? null],
  })
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/** Stores values, also in place of others. Lock the bot, so that what it stores can be measured afterwards. */
export async function saveBotStorage(tx: Queryable, userId: number, storage: BotData): Promise<void> {
  await tx.query({
    name: 'save-bot-storage',
    text: `
      insert into bot_storage (user_id, key, value)
      select $1, key, value
        from unnest($2::text[], $3::text[]) as sent (key, value)
          on conflict (user_id, key) do update
         set value = excluded.value`,
    values: [userId, Object.keys(storage), Object.values(storage)],
  })
}

/** How much a bot stores; the bot is locked. */
export async function measureBotStorage(tx: Queryable, userId: number): Promise<BotStorageSize> {
  const { rows } = await tx.query<BotStorageSize>({
    name: 'measure-bot-storage',
    text: `
      select count(*)::int as keys, coalesce(sum(characters), 0)::int as characters
        from bot_storage
       where user_id = $1`,
    values: [userId],
  })
  return rows[0] ?? { keys: 0, characters: 0 }
}

/** Deletes what a bot has stored under these keys, or all of it. Returns how many keys that were. */
export async function deleteBotStorage(
  tx: Queryable,
  userId: number,
  keys: readonly string[] | undefined,
): Promise<number> {
  const { rows } = await tx.query<{ deleted: number }>({
    name: 'delete-bot-storage',
    text: `
      with deleted as (
        delete from bot_storage
         where user_id = $1
           and ($2::text[] is null or key = any($2))
        returning 1
      )
      select count(*)::int as deleted from deleted`,
    values: [userId, keys ?? null],
  })
  return rows[0]?.deleted ?? 0
}
