import type { Pool } from '@tms/service-kit'

/** Confidential data of the organization that `insertOrganization` creates, by its name. */
export const secrets = {
  'a private channel': 'secret-channel',
  'its topics': 'secret-topic',
  'its messages': 'secret-message',
  'their HTML': 'secret-html',
  'reactions to them': 'secret_reaction',
  'votes on them': 'secret-vote',
  'direct messages': 'secret-direct-message',
  drafts: 'secret-draft',
  'scheduled messages': 'secret-scheduled',
  'topics that someone follows': 'Secret-Followed',
  'the colour that someone gave a channel': 'secret-color',
  'files that only private messages link': 'secret-file',
  'files that only scheduled messages link': 'secret-plan',
  'files that nothing links': 'secret-unused',
} as const

/** A time of one day, to the microsecond. */
export const at = (time: string): string => `2024-05-01T${time}+00:00`

/** IDs of an organization whose IDs start after `base`. */
export const idsOf = (base: number) => ({
  alice: base + 1,
  bob: base + 2,
  carol: base + 3,
  /** The channels: public, private, archived. */
  town: base + 1,
  den: base + 2,
  attic: base + 3,
  /** Recipients: those channels, and conversations of two and of three. */
  place: (number: number) => base + number,
  message: (number: number) => base + 100 + number,
  other: (number: number) => base + 200 + number,
})

/** Inserts rows as they are; missing columns are null. */
export async function insertRows(db: Pool, table: string, rows: readonly object[]): Promise<void> {
  await db.query(
    `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}
