import type { ExportScope, MessagingRecord } from '@tms/contracts'

export type KindName = MessagingRecord['kind']
export type RecordOf<Name extends KindName> = Extract<MessagingRecord, { kind: Name }>

/** How records of a kind are read from the database and stored in one. */
export interface RecordKind<Name extends KindName = KindName> {
  readonly kind: Name
  /** Left out of public exports; of users who consented in those with consent. */
  readonly isPersonal: boolean
  /** SQL of the records; its columns are the fields except `kind`. `$1` is the organization. */
  readonly list: (scope: ExportScope) => string
  /** The stored fields with their SQL types, and those of `derive`. */
  readonly columns: string
  /**
   * SQL condition that a record, the row `imported`, belongs to the organization `$1` and refers to nothing of
   * another.
   */
  readonly belongsToRealm: string
  /** Statements that store the rows `valid`, named and separated by commas. */
  readonly store: string
  /** Fields that are computed from others. */
  readonly derive?: (record: RecordOf<Name>) => Record<string, unknown>
  /** IDs that must not be issued any more, by their sequence. */
  readonly ids?: (record: RecordOf<Name>) => Partial<Record<Sequence, number>>
}

/** Sequences that issue IDs. */
export type Sequence =
  | 'recipients_id_seq'
  | 'channels_id_seq'
  | 'message_ids'
  | 'submessages_id_seq'
  | 'drafts_id_seq'
  | 'scheduled_messages_id_seq'
  | 'attachments_id_seq'
