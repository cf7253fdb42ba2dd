import type { BotData } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** How much a bot stores. */
export interface BotStorageSize {
  readonly keys: number
  /** Of keys and values. */
  readonly characters: number
}

/** All that a bot has stored. */
export async function listBotStorage(db: Queryable, userId: number): Promise<BotData> {
  const { rows } = await db.query<Entry>({
    name: 'list-bot-storage',
    text: 'select key, value from bot_storage where user_id = $1 order by key',
    values: [userId],
  })
  return toBotData(rows)
}

/** What a bot has stored under these of its keys; an index has them. */
export async function findBotStorage(
  db: Queryable,
  userId: number,
  keys: readonly string[],
): Promise<BotData> {
  const { rows } = await db.query<Entry>({
    name: 'find-bot-storage',
    text: 'select key, value from bot_storage where user_id = $1 and key = any($2::text[]) order by key',
    values: [userId, keys],
  })
  return toBotData(rows)
}

interface Entry {
  readonly key: string
  readonly value: string
}

const toBotData = (entries: readonly Entry[]): BotData =>
  Object.fromEntries(entries.map(({ key, value }) => [key, value]))

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

/** Deletes all that a bot has stored. */
export async function clearBotStorage(tx: Queryable, userId: number): Promise<void> {
  await tx.query({
    name: 'clear-bot-storage',
    text: 'delete from bot_storage where user_id = $1',
    values: [userId],
  })
}

/** Deletes what a bot has stored under these of its keys. Returns how many of them there were. */
export async function deleteBotStorage(
  tx: Queryable,
  userId: number,
  keys: readonly string[],
): Promise<number> {
  const { rows } = await tx.query<{ deleted: number }>({
    name: 'delete-bot-storage',
    text: `
      with deleted as (
        delete from bot_storage
         where user_id = $1
           and key = any($2::text[])
        returning 1
      )
      select count(*)::int as deleted from deleted`,
    values: [userId, keys],
  })
  return rows[0]?.deleted ?? 0
}
