import { endpoints } from '@tms/contracts'
import { filePartsOf } from '../../foreign/contents.ts'
import type { Fields, SamplesOf } from '../sample.ts'
import type { SampleObjects } from '../sample-objects.ts'

/** Returns the path of the file. */
const upload = async ({ owner }: SampleObjects): Promise<string> =>
  String((await owner.upload({ name: 'a sample.txt', content: 'x' })).body['url'])
const fieldsOf = (path: string): Fields => {
  const { realm_id, filename } = filePartsOf(path)
  return { realm_id: String(realm_id), filename }
}
const segmentsOf = (path: string): Fields => {
  const { realm_id = '', filename = '' } = fieldsOf(path)
  const [shard = '', ...rest] = filename.split('/')
  return { realm_id, shard, filename: rest.join('/') }
}

/** The tests of uploads in parts have those of others: their requests need headers. */
const someUpload: Fields = { upload_id: 'some-upload' }

export const uploadSamples = {
  getResumableUpload: { foreign: someUpload },
  continueResumableUpload: { foreign: someUpload },
  cancelResumableUpload: { foreign: someUpload },
  getTemporaryUrl: {
    valid: async (objects) => fieldsOf(await upload(objects)),
    foreign: ({ filePath }) => [fieldsOf(filePath)],
  },
  getFile: {
    valid: async (objects) => segmentsOf(await upload(objects)),
    foreign: ({ filePath }) => [segmentsOf(filePath)],
  },
  getTemporaryFile: {
    // Such a URL expires soon.
    valid: async (objects) => {
      const file = filePartsOf(await upload(objects))
      const { url } = await objects.owner.call(endpoints.messaging.getTemporaryUrl, file)
      const [token = '', filename = ''] = url.split('/').slice(-2)
      return { token, filename }
    },
    foreign: ({ temporaryToken: token, filePath }) => [{ token, filename: filePath.split('/').at(-1) ?? '' }],
  },
  deleteAttachment: {
    valid: async (objects) => {
      const { filename } = filePartsOf(await upload(objects))
      const { attachments } = await objects.owner.call(endpoints.messaging.listAttachments, {})
      return { attachment_id: String(attachments.find(({ path_id }) => path_id.endsWith(filename))?.id) }
    },
    foreign: ({ attachment: attachment_id }) => [{ attachment_id }],
  },
} satisfies SamplesOf<'messaging'>
