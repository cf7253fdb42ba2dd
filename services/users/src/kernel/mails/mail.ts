import type { ComparedConversation } from '@tms/contracts'

/** One e-mail to one recipient. Use cases compose the content; `layOutMail` decides how it looks. */
export interface Mail {
  readonly to: string
  /** The recipient's name, for mails to an account. */
  readonly toName?: string
  readonly subject: string
  /** Of the texts, as HTML names it. Absent in mails that the previous release queued: English. */
  readonly language?: string
  /** The organization that sends it. */
  readonly realm: { readonly name: string; readonly url: string }
  /** Plain text, never markup. */
  readonly paragraphs: readonly string[]
  /** Somebody's own words, below the paragraphs: as they were written, and as safe markup. */
  readonly letter?: { readonly text: string; readonly html: string }
  /** Quoted below the paragraphs. */
  readonly messages?: readonly MailedMessage[]
  /** Below the messages, each with a heading. */
  readonly sections?: readonly MailSection[]
  /** The main action, as a button and as a plain link. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Shown below the button: validity, and what to do if the mail is unexpected. */
  readonly remarks?: readonly string[]
  /** Links below everything else. */
  readonly links?: readonly { readonly label: string; readonly url: string }[]
  /** The recipient's, in which the date is written; absent: UTC. */
  readonly timeZone?: string
  /** The same for all mails that mail programs show as one conversation. */
  readonly thread?: string
  /** The address that answers are sent to; absent if they reach nobody. */
  readonly replyTo?: string
  /** By which the recipient gets no more mails of this kind, in one click. */
  readonly unsubscribeUrl?: string
  /**
   * Whose mail it is, if it contains what nobody else may read: it is sent to the address that the account has then, only if that is
   * active, and deleted if it is given up.
   */
  readonly recipient?: { readonly realmId: number; readonly userId: number }
  /** Whose missed messages it is about: it is sent only if the account still wants that. */
  readonly missedBy?: {
    readonly realmId: number
    readonly userId: number
    /** It is a digest, which has a setting of its own. */
    readonly isDigest?: true
    /** What it says, to be compared with now when it is sent. Absent in mails of the release before. */
    readonly said?: SaidOfMissed
    /** The same of a digest. */
    readonly digest?: SaidOfDigest
  }
}

/** What a mail says of missed messages. */
export interface SaidOfMissed {
  /** When it was so, in milliseconds since 1970. */
  readonly at: number
  readonly conversations: readonly ComparedConversation[]
  /** Of a mail that only counts conversations: those beside these, and whether it is the last mail of a day. */
  readonly summary?: { readonly further: number; readonly isLast: boolean }
}

/** What a digest is about. */
export interface SaidOfDigest {
  /** When it was so, in milliseconds since 1970. */
  readonly at: number
  /** UNIX seconds: what came before isn't news. */
  readonly since: number
  /** UNIX seconds: users who wrote later than this aren't away. */
  readonly awaySince: number
}

/** A part of a mail with a heading. */
export interface MailSection {
  readonly title: string
  /** Where the heading leads. */
  readonly url?: string
  readonly messages?: readonly MailedMessage[]
  readonly links?: readonly { readonly label: string; readonly url: string }[]
  /** Below the rest. */
  readonly remark?: string
}

/** A message that a mail quotes. */
export interface MailedMessage {
  /** Null if it goes without saying. */
  readonly senderName: string | null
  /** Markdown. */
  readonly text: string
  /** Safe markup, from messaging's renderer. */
  readonly html: string
  /** Only there to understand what follows, and so less prominent. */
  readonly isContext?: boolean
}
