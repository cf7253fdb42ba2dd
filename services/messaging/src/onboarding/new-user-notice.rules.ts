import { type Actor, link, mention } from '../channels/channel-notice.rules.ts'

/** Topic in which new users are announced. */
export const NEW_USERS_TOPIC = 'signups'

/** The message where the organization announces new users. */
export const writeJoinedNotice = (newUser: Actor): string => `${mention(newUser)} joined this organization.`

/** The message to the user who sent the invitation. */
export const writeInvitationAcceptedNotice = (newUser: Actor): string =>
  `${mention(newUser)} accepted your invitation and joined this organization.`

/** Channels named in the welcome; more would only make it longer. */
const MAX_NAMED_CHANNELS = 3

/** The welcome to a new user, who is subscribed to these channels. */
export function writeWelcomeNotice(newUser: Actor, channelNames: readonly string[]): string {
  const links = channelNames.slice(0, MAX_NAMED_CHANNELS).map(link)
  const begin =
    links.length > 0
      ? [
          `look at what is being talked about in ${links.join(', ')}`,
          'write there, under a topic of your own',
        ]
      : ['choose channels from the list of all, or ask someone to add you to theirs']
  const steps = [...begin, 'try out here whatever you like: nobody else sees it']
  return `Welcome, ${mention(newUser)}!

Every message in a channel has a topic, so that you can follow what concerns you and pass over the rest. To go on:

${steps.map((step) => `* ${step}`).join('\n')}`
}
