// The process of the OpenID provider that `npm start -- --with oidc` starts. Its argument is the file with its settings.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createProvider } from './create-provider.ts'
import type { ProviderSettings } from './settings.ts'

const settings: ProviderSettings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
createServer(createProvider(settings)).listen(settings.port, '127.0.0.1')
