import type { Call } from '../support/client.ts'

/** A signed-in user. */
export interface Person {
  email: string
  password: string
  userId: number
  auth: string
}

interface Access {
  manage: <T>(...args: string[]) => T
  call: Call
}

/** Creates an organization, unless it exists, and users, and signs them in. */
export async function createPeople(
  { manage, call }: Access,
  count: number,
  organization = 'sales',
): Promise<Person[]> {
  const { owner } = manage<{ owner: { email: string; password: string } }>(
    ...['create-organization', organization, '--name', 'Sales', '--owner-email', 'boss@example.com'],
  )
  const signIn = async ({ email, password }: { email: string; password: string }): Promise<Person> => {
    const form = { username: email, password }
    const answer = await call<{ api_key: string; user_id: number }>('POST', '/fetch_api_key', { form })
    const auth = `Basic ${Buffer.from(`${email}:${answer.api_key}`).toString('base64')}`
    return { email, password, userId: answer.user_id, auth }
  }
  const boss = await signIn(owner)
  const people = [boss]
  while (people.length < count) {
    const someone = { email: `person${people.length}@example.com`, password: 'a long password of a trial' }
    const form = { ...someone, full_name: `Person ${people.length}` }
    await call('POST', '/users', { auth: boss.auth, form })
    people.push(await signIn(someone))
  }
  return people
}
