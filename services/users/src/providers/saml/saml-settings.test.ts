import { describe, expect, test } from 'vitest'
import { createKeyPair, ENTITY_ID, type KeyPair, posted } from './fake-saml-provider.ts'
import { ATTEMPT, openSamlProvider, signedAssertionOf } from './open-saml-provider.ts'

const [own, theirs, other] = [createKeyPair(), createKeyPair(), createKeyPair()]
const opened = (change: object) => openSamlProvider({ own, theirs, change })

describe('settings of a provider of SAML', () => {
  const base64Of = ({ certificate }: KeyPair) => certificate.replace(/-----[A-Z ]+-----|\s/g, '')
  const metadataOf = (entityId: string, extra = '') => `<?xml version="1.0"?>
<!-- Written by a machine. --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><md:IDPSSODescriptor>
${[
  ['encryption', other],
  ['signing', theirs],
]
  .map(
    ([use, pair]) =>
      `<md:KeyDescriptor use="${use as string}"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>
${base64Of(pair as KeyPair)}
</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  )
  .join('')}
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://id.example.com/post"/>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://id.example.com/redirect"/>
${extra}</md:IDPSSODescriptor></md:EntityDescriptor>`
  const bare = { entity_id: undefined, sso_url: undefined, slo_url: undefined, certificates: undefined }

  test('can be the metadata of the provider', async () => {
    const by = await opened({ ...bare, metadata: metadataOf(ENTITY_ID) })
    expect(by.entityId).toBe(ENTITY_ID)
    expect((await by.findSignInUrl(ATTEMPT)).href).toContain('https://id.example.com/redirect?')
    const answered = (pair: KeyPair) => by.verify(ATTEMPT, { SAMLResponse: posted(signedAssertionOf(pair)) })
    expect(await answered(theirs)).toMatchObject({ kind: 'proven' })
    // Its other certificate is for encryption.
    expect(await answered(other)).toMatchObject({ kind: 'wrong' })
  })

  test.each<[string, object, string]>([
    ['no metadata', { metadata: '<a/>' }, 'metadata describe no provider'],
    ['metadata with a DTD', { metadata: `<!DOCTYPE a>${metadataOf('x')}` }, 'metadata it has a DTD'],
    [
      'metadata of several providers',
      { metadata: `<a>${['x', 'y'].map((id) => metadataOf(id).split('?>')[1]).join('')}</a>` },
      'metadata describe several providers',
    ],
    [
      'metadata with an unencrypted URL',
      { metadata: metadataOf('x').replace('https://id.example.com/redirect', 'http://id.example.com') },
      'which is no https:// URL',
    ],
    ['no certificate', { certificates: ['MII'] }, 'certificates.0 is no certificate'],
  ])('refuse %s', async (_, change, message) => {
    const settings = 'metadata' in change ? { ...bare, ...change } : change
    await expect(opened(settings)).rejects.toThrow(message)
  })

  test('refuse a key that is not that of the certificate', async () => {
    const mixed = { privateKey: other.privateKey, certificate: own.certificate }
    await expect(openSamlProvider({ own: mixed, theirs })).rejects.toThrow('saml.private_key is another one')
    const none = { privateKey: 'secret', certificate: own.certificate }
    const refusal = await openSamlProvider({ own: none, theirs }).catch((err: unknown) => String(err))
    expect(refusal).toContain('saml.private_key is no private key')
  })
})
