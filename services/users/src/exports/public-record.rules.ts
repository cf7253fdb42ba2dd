import { canSeeDeliveryEmail, Role, type UsersRecordOf } from '@tms/contracts'

type ExportedAccount = UsersRecordOf<'user'> | UsersRecordOf<'bot'>

/** The viewer of a public export: it contains no address that an administrator can't see. */
const READER = { userId: 0, role: Role.administrator }

/** A user without private data. */
export function toPublicUser(user: UsersRecordOf<'user'>): UsersRecordOf<'user'> {
  return { ...user, ...publicPartOf(user) }
}

/** A bot without private data: its default channels may be private, and its URL may contain a password. */
export function toPublicBot(bot: UsersRecordOf<'bot'>): UsersRecordOf<'bot'> {
  return {
    ...bot,
    ...publicPartOf(bot),
    default_sending_stream_id: null,
    default_events_register_stream_id: null,
    default_sending_stream: null,
    default_events_register_stream: null,
    payload_url: null,
    config_data: {},
  }
}

function publicPartOf({
  user_id: id,
  delivery_email: deliveryEmail,
  email_address_visibility: emailAddressVisibility,
}: ExportedAccount): Pick<
  ExportedAccount,
  'delivery_email' | 'settings' | 'alert_words' | 'muted_users' | 'seen_onboarding_steps'
> {
  const isVisible = canSeeDeliveryEmail(READER, { id, emailAddressVisibility })
  const own = { settings: {}, alert_words: [], muted_users: [], seen_onboarding_steps: [] }
  return { delivery_email: isVisible ? deliveryEmail : null, ...own }
}
