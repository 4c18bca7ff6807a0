import { databaseTypes } from '../../../api/platform/db/generate.ts'
import { apiClient } from '../../../api/platform/http/generate.ts'
import { constants } from '../../../api/platform/models/generate.ts'
import { topics } from '../../../workers/generate.ts'
import type { Maker } from './generated.ts'

/** What makes the generated files, in an order in which none needs a later one: workers may import the constants. */
export const makers: readonly Maker[] = [constants, topics, apiClient, databaseTypes]
