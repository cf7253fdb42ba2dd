import type { BotData } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

export interface BotStorageSize {
  readonly keys: number
  /** Sum over keys and values. */
  readonly characters: number
}

/** All entries of a bot. */
export async function listBotStorage(db: Queryable, userId: number): Promise<BotData> {
  const { rows } = await db.query<Entry>({
    name: 'list-bot-storage',
    text: 'select key, value from bot_storage where user_id = $1 order by key',
    values: [userId],
  })
  return toBotData(rows)
}

/** Entries of a bot under these keys, by the primary key. */
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

/** Inserts or replaces entries. Lock the bot first, so that the size can be measured afterwards. */
export async function saveBotStorage(tx: Queryable, userId: number, storage: BotData): Promise<void> {
  await tx.query({
    name: 'save-bot-storage',
    text: `
      insert into bot_storage (user_id, key, value)
      select $1, key, value
        from unnest($2::text[], $3::text[]) as entry (key, value)
          on conflict (user_id, key) do update
         set value = excluded.value`,
    values: [userId, Object.keys(storage), Object.values(storage)],
  })
}

/** Size of a bot's storage; lock the bot first. */
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

export async function clearBotStorage(tx: Queryable, userId: number): Promise<void> {
  await tx.query({
    name: 'clear-bot-storage',
    text: 'delete from bot_storage where user_id = $1',
    values: [userId],
  })
}

/** Deletes entries under these keys; returns how many existed. */
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
