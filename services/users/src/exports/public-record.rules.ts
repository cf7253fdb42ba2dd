import { canSeeDeliveryEmail, Role, type UsersRecordOf } from '@tms/contracts'

type Account = UsersRecordOf<'user'> | UsersRecordOf<'bot'>

/** As whom a public export shows people: it has no address that they don't see, whoever else may get it. */
const READER = { userId: 0, role: Role.administrator }

/** A person as a public export has them: what they keep for themselves is left out. */
export function toPublicUser(user: UsersRecordOf<'user'>): UsersRecordOf<'user'> {
  return { ...user, ...publicPartOf(user) }
}

/** The same of a bot. Its default channels may be private ones, and what it calls may have a password in it. */
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
}: Account): Pick<
  Account,
  'delivery_email' | 'settings' | 'alert_words' | 'muted_users' | 'seen_onboarding_steps'
> {
  const isSeen = canSeeDeliveryEmail(READER, { id, emailAddressVisibility })
  const own = { settings: {}, alert_words: [], muted_users: [], seen_onboarding_steps: [] }
  return { delivery_email: isSeen ? deliveryEmail : null, ...own }
}
