import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { endpoints } from '@tms/contracts'
import { FileAnswer, type Handler } from '@tms/service-kit'
import type { SignOnContext } from './sign-on-context.ts'

/** Also where no provider is configured yet: many want this before they tell anything about themselves. */
export const handleShowSamlMetadata: Handler<
  typeof endpoints.users.showSamlMetadata,
  SignOnContext
> = async ({ context }) => {
  const content = Buffer.from(context.saml.metadata)
  return new FileAnswer({
    contentType: 'text/xml; charset=utf-8',
    disposition: 'inline; filename="metadata.xml"',
    size: content.length,
    tag: createHash('sha256').update(content).digest('base64url'),
    open: ({ start, end }) => Promise.resolve(Readable.from([content.subarray(start, end + 1)])),
  })
}
