// The process of the SAML provider that `npm start -- --with saml` starts. Its argument is the file with its settings.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSamlProvider } from './create-saml-provider.ts'
import type { SamlProviderSettings } from './settings.ts'

const settings: SamlProviderSettings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
createServer(createSamlProvider(settings)).listen(settings.port, '127.0.0.1')
