// Somebody who makes channels and groups, and changes who is in them, while everything is replaced. Each change must be in
// force when it is answered, whichever release answered it.
import type { MonitoredClient } from './monitored-client.ts'
import type { Person } from './people.ts'

interface Team {
  organizer: Person
  member: Person
  /** Different for each organizer and turn. */
  name: string
}

/** Makes a private channel and a group, and lets somebody in and out of both. */
export async function organize(client: MonitoredClient, team: Team): Promise<void> {
  await organizeChannel(client, team)
  await organizeGroup(client, team)
}

async function organizeChannel(client: MonitoredClient, { organizer, member, name }: Team): Promise<void> {
  const { call, fail } = client
  const { auth } = organizer
  const subscriptions = JSON.stringify([{ name }])
  const everybody = JSON.stringify([organizer.userId, member.userId])
  const form = { subscriptions, invite_only: 'true', principals: everybody }
  if (!(await call('POST', '/users/me/subscriptions', { auth, form }))) return
  const found = await call<{ stream_id: number }>('GET', `/get_stream_id?stream=${name}`, { auth })
  if (!found) return
  const sees = async () => {
    const answer = await call<{ streams: { name: string }[] }>('GET', '/streams', { auth: member.auth })
    return answer && answer.streams.some((channel) => channel.name === name)
  }
  if ((await sees()) === false) fail(`a subscriber doesn't see ${name}`)
  const without = { subscriptions: JSON.stringify([name]), principals: JSON.stringify([member.userId]) }
  if (await call('DELETE', '/users/me/subscriptions', { auth, form: without })) {
    if ((await sees()) === true) fail(`somebody who was removed from ${name} sees it`)
  }
  await call('DELETE', `/streams/${found.stream_id}`, { auth })
}

async function organizeGroup(client: MonitoredClient, { organizer, member, name }: Team): Promise<void> {
  const { call, fail } = client
  const { auth } = organizer
  const form = { name, description: 'of a trial', members: JSON.stringify([organizer.userId]) }
  if (!(await call('POST', '/user_groups/create', { auth, form }))) return
  const listed = await call<{ user_groups: { id: number; name: string }[] }>('GET', '/user_groups', { auth })
  const group = listed?.user_groups.find((one) => one.name === name)
  if (!group) {
    if (listed) fail(`the group ${name} isn't listed`)
    return
  }
  const path = `/user_groups/${group.id}/members`
  for (const change of ['add', 'delete']) {
    if (!(await call('POST', path, { auth, form: { [change]: JSON.stringify([member.userId]) } }))) continue
    const answer = await call<{ members: number[] }>('GET', path, { auth })
    const isMember = answer?.members.includes(member.userId)
    if (answer && isMember !== (change === 'add'))
      fail(`after '${change}' a member of ${name} is ${isMember}`)
  }
}
