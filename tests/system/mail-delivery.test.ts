import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { endpoints } from '@tms/contracts'
import { pickFreePort } from '@tms/local-system'
import type { Pool } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { post } from './support/account-pages.ts'
import { refusal, success } from './support/answers.ts'
import { newAddress } from './support/invitations.ts'
import { metricOf } from './support/observe.ts'
import { lockTable } from './support/table-lock.ts'
import { createTestAuthority, type TestAuthority } from './support/test-authority.ts'
import { until } from './support/until.ts'
import { startWithUsersDatabase } from './support/users-database.ts'

const { inviteByEmail } = endpoints.users

const PASSWORD = 'secret'
let product: TestSystem
let db: Pool
let stop: () => Promise<void>
let smtpPort: number
let authority: TestAuthority
beforeAll(async () => {
  authority = createTestAuthority('Test authority')
  smtpPort = await pickFreePort()
  const started = await startWithUsersDatabase({
    serviceEnv: {
      MAIL_URL: `smtp://tms:${PASSWORD}@127.0.0.1:${smtpPort}`,
      TLS_CA_FILE: authority.variables.TLS_CA_FILE,
      INVITES_PER_DAY: '20',
      // The test sets the address of a client.
      TRUST_PROXY: 'true',
    },
  })
  ;({ product, db, stop } = started)
}, 180_000)
afterAll(async () => {
  await stop()
  authority.remove()
})

const jobMetric = (name: string) => metricOf(`${product.system.urls.users[0]}`, `jobs_${name}`)

describe('mails', () => {
  test('are sent once each when the mail server is back', async () => {
    const emails = [newAddress(), newAddress(), newAddress()]

    // While there is no mail server, everything works
    await product.owner.call(inviteByEmail, { invitee_emails: emails.join(','), stream_ids: [] })
    await until(async () => {
      const { rows } = await db.query('select id from graphile_worker._private_jobs where attempts > 0')
      return rows.length === emails.length
    })
    expect(await jobMetric('waiting')).toBe(emails.length)
    await until(async () => (await jobMetric('lag_seconds')) > 1)

    // Then it is back
    const { received, passwords, close } = await startSmtpServer()
    await until(async () => received.length >= emails.length)
    await until(async () => {
      const { rows } = await db.query('select id from graphile_worker._private_jobs where attempts > 0')
      return rows.length === 0
    })

    expect([await jobMetric('waiting'), await jobMetric('lag_seconds')]).toEqual([0, 0])

    const mails = await Promise.all(received.map((mail) => PostalMime.parse(mail)))
    const recipients = mails.flatMap(({ to }) => to?.map((one) => one.address) ?? [])
    expect(recipients).toHaveLength(emails.length)
    expect(new Set(recipients)).toEqual(new Set(emails))
    expect(mails.every(({ text }) => text?.includes('/accounts/do_confirm/'))).toBe(true)
    expect(new Set(passwords)).toEqual(new Set([PASSWORD]))
    await close()
  })

  test('are sent although the replica that was sending them died', async () => {
    const email = newAddress()
    const hanging = createServer()
    await new Promise<void>((resolve) => hanging.listen(smtpPort, '127.0.0.1', resolve))
    const connected = once(hanging, 'connection') as Promise<[Socket]>
    await product.owner.call(inviteByEmail, { invitee_emails: email, stream_ids: [] })
    const [socket] = await connected
    const replica = product.system.replica('users', 0)
    await replica.kill('SIGKILL')
    socket.destroy()
    await new Promise((resolve) => hanging.close(resolve))
    const { received, close } = await startSmtpServer()
    // As if it had died a minute ago. Another job is running at a replica of the release before, which records nothing.
    await db.query(`update job_workers set seen_at = seen_at - interval '1 minute'`)
    const { rows: jobs } = await db.query<{ id: number }>(
      "select id from graphile_worker.add_job('send_mail', '{}'::json, run_at => now() + interval '1 day')",
    )
    await db.query(
      `update graphile_worker._private_jobs set locked_by = 'before', locked_at = now() - interval '1 hour' where id = $1`,
      [jobs[0]?.id],
    )
    await replica.start()

    await until(async () => received.length > 0)
    expect((await PostalMime.parse(received[0] as Buffer)).to?.[0]?.address).toBe(email)
    const { rows } = await db.query(
      "delete from graphile_worker._private_jobs where locked_by = 'before' returning id",
    )
    expect(rows).toHaveLength(1)
    await close()
  })

  test('are pending, without the password, while the server offers no encryption', async () => {
    const bare = await startSmtpServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
    const email = newAddress()
    await product.owner.call(inviteByEmail, { invitee_emails: email, stream_ids: [] })
    await until(async () => {
      const { rows } = await db.query<{ last_error: string | null }>(
        'select last_error from graphile_worker.jobs',
      )
      return rows.some(({ last_error }) => last_error?.includes('STARTTLS'))
    })
    expect(bare).toMatchObject({ received: [], passwords: [] })
    await bare.close()

    const encrypted = await startSmtpServer()
    await db.query(
      `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
        where last_error is not null`,
    )
    await until(async () => encrypted.received.length > 0)
    expect((await PostalMime.parse(encrypted.received[0] as Buffer)).to?.[0]?.address).toBe(email)
    await until(async () => (await jobMetric('waiting')) === 0)
    await encrypted.close()
  })

  test.each([
    [554, '5.7.1 <somebody>: Relay access denied'],
    [550, '<somebody@example.com>:relay not permitted'],
    [550, '5.7.1 Client host is blocked'],
  ])(
    'are pending while the server refuses with %i %s, which an operator can mend',
    async (code, text) => {
      const email = newAddress()
      const refusing = await startSmtpServer(refusingWith(code, text))
      await product.owner.call(inviteByEmail, { invitee_emails: email, stream_ids: [] })
      await until(async () => {
        const { rows } = await db.query('select id from graphile_worker._private_jobs where attempts > 0')
        return refusing.refused.includes(email) && rows.length === 1
      })
      await refusing.close()

      const { received, close } = await startSmtpServer()
      await until(async () => received.length > 0)
      expect((await PostalMime.parse(received[0] as Buffer)).to?.[0]?.address).toBe(email)
      await until(async () => (await jobMetric('waiting')) === 0)
      await close()
    },
    60_000,
  )

  test.each(['5.1.1 No such user', '5.1.1 <relay@example.com>: no such user'])(
    'to an address that does not exist (550 %s) are not tried again',
    async (text) => {
      const email = newAddress()
      const { received, refused, close } = await startSmtpServer(refusingWith(550, text))
      await product.owner.call(inviteByEmail, { invitee_emails: email, stream_ids: [] })
      await until(async () => refused.includes(email) && (await jobMetric('waiting')) === 0)
      expect([received, refused]).toEqual([[], [email]])
      await close()
    },
    60_000,
  )
})

test('mails are sent after the database stopped just as jobs were started', async () => {
  const replica = product.system.replica('users', 0)
  await replica.stop()
  // The jobs can be read, but the workers can't find out the IDs of their tasks.
  const held = await lockTable(db, 'graphile_worker._private_tasks', 'share')
  await replica.start()
  await held.waitForWaiters(1)
  await db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle in transaction'`,
  )
  await held.release()

  expect(await product.owner.request('GET', '/users/me')).toMatchObject(success())
  const { received, close } = await startSmtpServer()
  await product.owner.call(inviteByEmail, { invitee_emails: newAddress(), stream_ids: [] })
  await until(async () => received.length > 0)
  await until(async () => (await jobMetric('waiting')) === 0)
  await close()
})

describe('metrics of jobs', () => {
  /** A job that no worker runs, as if it had been tried this often. */
  const leave = (values: string) =>
    db
      .query(
        `with job as (select id from graphile_worker.add_job('nobody_does_this', '{}'))
       select id::text from job`,
      )
      .then(({ rows }) =>
        db.query(`update graphile_worker._private_jobs set ${values} where id = $1 returning id`, [
          (rows[0] as { id: string }).id,
        ]),
      )
  const remove = () =>
    db.query(`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs`)

  test('report how late a job is after failed attempts', async () => {
    // After 3 failures, e + e² + e³ = 30 s have passed, and it is retried in 20 s: it was due 10 s ago.
    await leave(`attempts = 3, run_at = now() + interval '20 seconds'`)
    expect(await jobMetric('waiting')).toBe(1)
    expect(await jobMetric('lag_seconds')).toBeGreaterThan(9)
    expect(await jobMetric('lag_seconds')).toBeLessThan(20)
    await remove()
  })

  test('exclude jobs for later, and include those that are given up', async () => {
    await leave(`run_at = now() + interval '1 day'`)
    expect(await jobMetric('waiting')).toBe(0)
    await leave('attempts = max_attempts')
    expect([await jobMetric('waiting'), await jobMetric('lag_seconds')]).toEqual([0, 0])
    expect(await jobMetric('given_up')).toBe(1)

    // As docs/runbook.md says.
    await db.query(
      `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now(), attempts => 0)
         from graphile_worker.jobs where attempts >= max_attempts`,
    )
    expect(await jobMetric('given_up')).toBe(0)
    expect(await jobMetric('waiting')).toBe(1)
    await remove()
  })
})

describe('the daily limit', () => {
  const used = () => db.query(`update invitation_counts set sent = 18 returning sent`)
  const limitReached = refusal('INVITATION_FAILED', {
    daily_limit_reached: true,
    sent_invitations: false,
    errors: [],
  })

  test('holds for two concurrent inviters', async () => {
    await used()
    const send = () =>
      product.owner.send(inviteByEmail, {
        invitee_emails: `${newAddress()},${newAddress()}`,
        stream_ids: [],
      })

    const answers = await Promise.all([send(), send(), send()])

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(limitReached)
  })

  test('counts mails that are sent again, and none that are not sent', async () => {
    await used()
    const invite = (invitee_emails: string) =>
      product.owner.send(inviteByEmail, { invitee_emails, stream_ids: [] })
    await invite('nobody')
    await invite(product.owner.email)
    const { invites } = await product.owner.call(endpoints.users.listInvitations, {})
    const resend = () =>
      product.owner.send(endpoints.users.resendInvitation, { invite_id: invites[0]?.id ?? 0 })

    expect((await resend()).status).toBe(200)
    expect((await resend()).status).toBe(200)
    expect(await resend()).toMatchObject(limitReached)
  })
})

describe('mails triggered without authentication', () => {
  const request = async (ip: string) => {
    const { status } = await post(
      `${product.baseUrl}/accounts/password/reset/`,
      { email: newAddress() },
      { 'x-forwarded-for': ip },
    )
    return status
  }

  test.each([
    ['an IPv4 address', () => '203.0.113.1', '203.0.113.2'],
    ['a network of IPv6, whatever the address', (n: number) => `2001:db8:1:2:${n}::${n}`, '2001:db8:1:3::1'],
  ])('are counted by %s', async (_, addressOf, other) => {
    const statuses: number[] = []
    for (let n = 1; n <= 6; n++) statuses.push(await request(addressOf(n)))

    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect(await request(other)).toBe(200)
  })
})

/** How a server refuses each recipient. */
const refusingWith = (code: number, text: string): SMTPServerOptions => ({
  onRcptTo: (_address, _session, callback) =>
    callback(Object.assign(new Error(text), { responseCode: code })),
})

/** A mail server with STARTTLS that accepts every password, and stores its mails. */
async function startSmtpServer({ onRcptTo, ...options }: SMTPServerOptions = {}): Promise<{
  received: Buffer[]
  /** Recipients that it was asked for and doesn't accept. */
  refused: string[]
  passwords: unknown[]
  close: () => Promise<void>
}> {
  const received: Buffer[] = []
  const refused: string[] = []
  const passwords: unknown[] = []
  const { TLS_CERTIFICATE_FILE, TLS_KEY_FILE } = authority.variables
  const server = new SMTPServer({
    cert: readFileSync(TLS_CERTIFICATE_FILE),
    key: readFileSync(TLS_KEY_FILE),
    onAuth: ({ username, password }, _session, callback) => {
      passwords.push(password)
      callback(null, { user: username })
    },
    onData: (stream, _session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push(Buffer.concat(chunks))
        callback()
      })
    },
    ...(onRcptTo && {
      onRcptTo: (address, session, callback) => {
        refused.push(address.address)
        onRcptTo.call(server, address, session, callback)
      },
    }),
    ...options,
  })
  await new Promise<AddressInfo | null>((resolve) => {
    const listening = server.listen(smtpPort, '127.0.0.1', () => resolve(listening.address() as AddressInfo))
  })
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { received, refused, passwords, close }
}
