import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CallServerError, createBigBlueButton } from './big-blue-button.ts'

const SECRET = '639259d4-9dd8-4b25-bf01-95f9567eaf4b'
const meeting = { meetingId: 'tms-1', name: 'Ä & b', isVoiceOnly: false }

let server: Server
let respond: RequestListener
let requestUrls: string[]
beforeEach(async () => {
  requestUrls = []
  server = createServer((request, response) => {
    requestUrls.push(request.url ?? '')
    respond(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

const client = (end = '/bigbluebutton/') =>
  createBigBlueButton({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${end}`,
    secret: SECRET,
    tls: {},
    timeoutMs: 300,
  })
const answers = (text: string, status = 200) => {
  respond = (_request, response) => response.writeHead(status, { 'content-type': 'text/xml' }).end(text)
}
const SUCCESS =
  '<response>\n<returncode>SUCCESS</returncode>\n<createTime>1531155809613</createTime><messageKey/></response>'

describe('a call of the API', () => {
  test('is signed over its name, its encoded query and the secret', () => {
    const url = new URL(
      createBigBlueButton({
        url: 'https://bbb.example.com/bigbluebutton',
        secret: SECRET,
        tls: {},
      }).joinUrlOf({
        meetingId: 'a',
        fullName: 'Zoë & role=MODERATOR#',
        role: 'VIEWER',
        createTime: '7',
      }),
    )
    const [signed = ''] = url.search.slice(1).split('&checksum=')
    expect(url.pathname).toBe('/bigbluebutton/api/join')
    expect(url.searchParams.get('checksum')).toBe(
      createHash('sha256').update(`join${signed}${SECRET}`).digest('hex'),
    )
    expect([...url.searchParams.keys()]).toEqual(['meetingID', 'fullName', 'role', 'createTime', 'checksum'])
    expect(url.searchParams.get('fullName')).toBe('Zoë & role=MODERATOR#')
  })

  test.each(['/bigbluebutton/', '/bigbluebutton', '/bigbluebutton/api', '/bigbluebutton/api/'])(
    'goes to the API below %s',
    async (end) => {
      answers(SUCCESS)

      expect(await client(end).createMeeting(meeting)).toBe('1531155809613')
      expect(requestUrls[0]).toMatch(
        /^\/bigbluebutton\/api\/create\?meetingID=tms-1&name=%C3%84%20%26%20b&checksum=/,
      )
    },
  )

  test('disables cameras for a call without video', async () => {
    answers(SUCCESS)
    await client().createMeeting({ ...meeting, isVoiceOnly: true })

    expect(requestUrls[0]).toContain('&lockSettingsDisableCam=true&checksum=')
  })

  test.each([
    [
      'a refusal',
      '<response><returncode>FAILED</returncode><messageKey>checksumError</messageKey></response>',
      /checksumError/,
    ],
    ['no XML', 'Bad gateway', /an invalid answer/],
    [
      'a success without a time',
      '<response><returncode>SUCCESS</returncode></response>',
      /an invalid answer/,
    ],
    ['a time that is none', SUCCESS.replace('1531155809613', 'x&y=z'), /an invalid answer/],
    ['too much', `${SUCCESS}${' '.repeat(100_000)}`, /too much/],
  ])('fails with %s', async (_, text, message) => {
    answers(text)

    await expect(client().createMeeting(meeting)).rejects.toThrow(message)
  })

  test('fails for another status, a timeout, and an unreachable server', async () => {
    answers(SUCCESS, 502)
    await expect(client().createMeeting(meeting)).rejects.toThrow(/502/)
    respond = () => {}
    await expect(client().createMeeting(meeting)).rejects.toThrow(CallServerError)
    const gone = client()
    server.close()
    server.closeAllConnections()
    await expect(gone.createMeeting(meeting)).rejects.toThrow(/reached/)
  })
})
