import { type Actor, mention } from '../channels/channel-notice.rules.ts'

/** Where new people are announced. */
export const NEWCOMERS_TOPIC = 'signups'

/** What is posted where the organization announces new people. */
export const tellJoined = (newcomer: Actor): string => `${mention(newcomer)} joined this organization.`

/** What whoever invited someone is told. */
export const tellAccepted = (newcomer: Actor): string =>
  `${mention(newcomer)} accepted your invitation and joined this organization.`
