import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { optionalJson, optionalText, text } from '../../parameter.ts'

const call = z.object({ url: z.string() })

export const createZoomCall = endpoint({
  name: 'createZoomCall',
  owner: 'realm',
  method: 'POST',
  path: '/calls/zoom/create',
  auth: 'user',
  summary: 'Create a Zoom call',
  description: 'Refused: no installation has Zoom.',
  parameters: { is_video_call: optionalJson(z.boolean()) },
  response: call,
})

export const createBigBlueButtonCall = endpoint({
  name: 'createBigBlueButtonCall',
  owner: 'realm',
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  auth: 'user',
  summary: 'Create a BigBlueButton call',
  description:
    'Returns the address of a page on which whoever opens it joins the call, below the address of the organization. Refused where the installation has no BigBlueButton.',
  parameters: {
    meeting_name: text(z.string(), { description: 'At least 2 characters; 256 are kept.' }),
    voice_only: optionalJson(z.boolean(), {
      description:
        'Nobody can turn a camera on, and nobody is a moderator; otherwise everyone is. Default false.',
    }),
  },
  response: call,
})

/** Where a link to a call leads. */
const page = {
  owner: 'realm',
  prefix: '',
  path: '/calls/bigbluebutton/join',
  auth: 'public',
  answer: 'page',
  response: z.object({}),
} as const
/** What `createBigBlueButtonCall` has signed. */
const link = { bigbluebutton: optionalText(z.string()) }

export const showCallPage = endpoint({
  ...page,
  name: 'showCallPage',
  method: 'GET',
  summary: 'Page that asks for the name under which somebody joins a call',
  parameters: link,
})

export const joinCallPage = endpoint({
  ...page,
  name: 'joinCallPage',
  method: 'POST',
  summary: 'Creates the call, where it is not held already, and leads into it',
  parameters: { ...link, full_name: optionalText(z.string()) },
})
