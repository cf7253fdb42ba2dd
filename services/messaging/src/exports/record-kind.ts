import type { ExportScope, MessagingRecord } from '@tms/contracts'

export type KindName = MessagingRecord['kind']
export type RecordOf<Name extends KindName> = Extract<MessagingRecord, { kind: Name }>

/** How records of a kind leave the database and come into one. */
export interface RecordKind<Name extends KindName = KindName> {
  readonly kind: Name
  /** Public exports have none. */
  readonly isPersonal: boolean
  /** SQL of the records, whose columns are the fields but for `kind`. `$1` is the organization. */
  readonly list: (scope: ExportScope) => string
  /** The fields that are stored, and their types in SQL, and what `derive` adds. */
  readonly columns: string
  /**
   * SQL of what must hold of a record, which is the row `told`, so that it belongs to the organization `$1` and to
   * nothing of another.
   */
  readonly isOwn: string
  /** Statements, separated by commas and each with a name, that store the rows `valid`. */
  readonly store: string
  /** Fields that the service derives from others. */
  readonly derive?: (record: RecordOf<Name>) => Record<string, unknown>
  /** The IDs that no one else may be given any more, by their sequence. */
  readonly ids?: (record: RecordOf<Name>) => Partial<Record<Sequence, number>>
}

/** Sequences that give IDs. */
export type Sequence =
  | 'recipients_id_seq'
  | 'channels_id_seq'
  | 'message_ids'
  | 'submessages_id_seq'
  | 'drafts_id_seq'
  | 'scheduled_messages_id_seq'
  | 'attachments_id_seq'
