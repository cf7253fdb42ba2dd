import { type Actor, link, mention } from '../channels/channel-notice.rules.ts'

/** Where new people are announced. */
export const NEW_USERS_TOPIC = 'signups'

/** What is posted where the organization announces new people. */
export const tellJoined = (newcomer: Actor): string => `${mention(newcomer)} joined this organization.`

/** What whoever invited someone is told. */
export const tellAccepted = (newcomer: Actor): string =>
  `${mention(newcomer)} accepted your invitation and joined this organization.`

/** The rest they find by themselves. */
const MAX_NAMED_CHANNELS = 3

/** What newcomers are told, who are in these channels by now. */
export function tellWelcome(newcomer: Actor, channelNames: readonly string[]): string {
  const links = channelNames.slice(0, MAX_NAMED_CHANNELS).map(link)
  const begin =
    links.length > 0
      ? [
          `look at what is being talked about in ${links.join(', ')}`,
          'write there, under a topic of your own',
        ]
      : ['choose channels from the list of all, or ask someone to add you to theirs']
  const steps = [...begin, 'try out here whatever you like: nobody else sees it']
  return `Welcome, ${mention(newcomer)}!

Every message in a channel has a topic, so that you can follow what concerns you and pass over the rest. To go on:

${steps.map((step) => `* ${step}`).join('\n')}`
}
