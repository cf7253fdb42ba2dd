import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalJson, optionalText, text } from '../../declarations/parameter.ts'

const call = z.object({ url: z.string() })

export const createZoomCall = endpoint({
  name: 'createZoomCall',
  owner: 'realm',
  method: 'POST',
  path: '/calls/zoom/create',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Create a Zoom call',
  description: 'Always refused: no installation has Zoom.',
  parameters: { is_video_call: optionalJson(z.boolean()) },
  response: call,
})

export const createBigBlueButtonCall = endpoint({
  name: 'createBigBlueButtonCall',
  owner: 'realm',
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Create a BigBlueButton call',
  description:
    'Returns the path of a page, below the URL of the organization, on which anybody can join the call. Refused if the installation has no BigBlueButton.',
  parameters: {
    meeting_name: text(z.string(), { description: 'At least 2 characters; truncated to 256.' }),
    voice_only: optionalJson(z.boolean(), {
      description: 'No cameras are allowed, and nobody is a moderator; otherwise everyone is. Default false.',
    }),
  },
  response: call,
})

/** The page that a link to a call opens. */
const page = {
  owner: 'realm',
  prefix: '',
  path: '/calls/bigbluebutton/join',
  auth: 'public',
  answer: 'page',
  response: z.object({}),
} as const
/** The signed text of `createBigBlueButtonCall`. */
const link = { bigbluebutton: optionalText(z.string()) }

export const showCallPage = endpoint({
  ...page,
  name: 'showCallPage',
  method: 'GET',
  summary: 'Page that asks for the name of somebody who joins a call',
  parameters: link,
})

export const joinCallPage = endpoint({
  ...page,
  name: 'joinCallPage',
  method: 'POST',
  summary: 'Starts the call, unless it is running, and redirects to it',
  parameters: { ...link, full_name: optionalText(z.string()) },
})
