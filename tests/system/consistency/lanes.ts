import type { Lane } from './change-row.ts'
import { access } from './rows/access.ts'
import { accountPolicies } from './rows/account-policies.ts'
import { botRows } from './rows/bots.ts'
import { channelPolicies } from './rows/channel-policies.ts'
import { groupRows } from './rows/groups.ts'
import { messagePolicies } from './rows/message-policies.ts'
import { names } from './rows/names.ts'
import { activity, organizationRows } from './rows/organization.ts'
import { ownSettings } from './rows/own-settings.ts'
import { texts } from './rows/texts.ts'

/** Every kind of change in users and realm, each with a use that depends on it. */
export const lanes: readonly Lane[] = [
  access,
  accountPolicies,
  activity,
  botRows,
  channelPolicies,
  groupRows,
  messagePolicies,
  names,
  organizationRows,
  ownSettings,
  texts,
]

/** The rows that are also run by their events, which come while the change may not have been answered yet. */
export const lanesByEvent: readonly Lane[] = lanes.flatMap(({ subject, rows }) => {
  const byEvent = rows.filter(({ isRunByEvent }) => isRunByEvent)
  return byEvent.length === 0 ? [] : [{ subject, rows: byEvent }]
})
