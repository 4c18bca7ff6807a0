import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import sharp from 'sharp'
import { type Plugin, defineConfig, loadEnv } from 'vite'
import type { Screen } from './platform/kernel/screens/match.ts'
import { type Placeholders, placeholderTitles } from '../forms/platform/placeholders.ts'
import { bare, forStaff, shortened } from './platform/kernel/screens/short-screen.ts'
import { words } from './words.ts'
import { known } from './platform/kernel/known.ts'
import { parsed } from './platform/kernel/client/json.ts'

const languages = ['en', 'si', 'ta'] as const

/** The web app: built to web/dist, which the API serves; in development `vite web` proxies /api to the API. */
export default defineConfig(({ mode }) => {
  const api = loadEnv(mode, process.cwd(), 'API_')['API_URL'] ?? 'http://127.0.0.1:4400'
  return {
    root: import.meta.dirname,
    plugins: [
      shortScreens(),
      lean(),
      words(join(import.meta.dirname, '../forms')),
      react(),
      icons(),
      baseFirst(),
      compressed(),
    ],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      manifest: true,
      target: 'es2023',
      chunkSizeWarningLimit: 1500,
      rolldownOptions: {
        output: {
          codeSplitting: {
            // Puts what nearly every page needs into one file instead of thirty; the rest splits by page. What finds
            // the page of an address comes in a small file before it.
            groups: [
              {
                name: 'first',
                test: /web\/(main|platform\/(kernel\/(screens\/(match|screens|short)|texts\/(parts|sources))|edge\/router\/(ahead|page-loaders)))\./,
                priority: 1,
              },
              {
                name: 'base',
                test: /web\/(app\.tsx|platform\/(kernel\/(client|known|keys|api\/(read|me|demo)|session\/(session|last|exclusively|forget)|states\/(?!fold)|theme|live|screens\/page|clock|texts\/(texts|formats|ant))|people\/(person|session\/language)|edge\/(router\/(router|pages)|shell\/(bare|brand|skip-link))|kernel\/form\/(plain-select|form\.module)))/,
              },
              {
                name: 'fields',
                test: /node_modules\/(antd\/es\/(input|space|modal)\/|@rc-component\/(input|textarea)\/)/,
              },
            ],
          },
        },
      },
    },
    json: { stringify: true },
    server: { proxy: { '/api': api, '/metrics': api } },
  }
})

/**
 * Sends the lists of screens without default values. What only signed-in people need comes as `?staff`; the titles of
 * placeholders come as `?titles`, with their page.
 */
function shortScreens(): Plugin {
  return {
    name: 'short-screens',
    enforce: 'pre',
    transform(code, id) {
      const [placeholders, titles] = /\/forms\/platform\/placeholders\.json(\?titles)?$/.exec(id) ?? []
      if (placeholders !== undefined) {
        const all = parsed<Placeholders>(code)
        if (titles === undefined) return JSON.stringify(bare(all))
        const names = languages.map((language) => [language, placeholderTitles(all, language)])
        return { code: `export default ${JSON.stringify(Object.fromEntries(names))}`, moduleType: 'js', map: null }
      }
      const [, area, staff] = /\/forms\/([a-z-]+)\/screens\.json(\?staff)?$/.exec(id) ?? []
      if (area === undefined) return null
      const screens = parsed<Screen[]>(code)
      const given = screens.map((one) => (staff ? forStaff(area, one) : shortened(area, one)))
      const json = JSON.stringify(given)
      return staff ? { code: `export default ${json}`, moduleType: 'js', map: null } : { code: json, map: null }
    },
  }
}

/** Lets the browser fetch the largest file from the beginning, not only once the first script asks for it. */
function baseFirst(): Plugin {
  return {
    name: 'base-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.values(bundle).flatMap((file) => {
          const name = /^assets\/base-[^/]*\.(js|css)$/.exec(file.fileName)
          if (!name) return []
          const link = name[1] === 'js' ? { rel: 'modulepreload' } : { rel: 'stylesheet' }
          return [
            {
              tag: 'link',
              injectTo: 'head' as const,
              attrs: { ...link, crossorigin: true, href: `/${file.fileName}` },
            },
          ]
        }),
    },
  }
}

/**
 * Small functions that Ant Design's buttons and fields take from large files: the imports and the function alone are
 * read with `?<its name>`.
 */
const small = {
  isBright: {
    imports: `import { Color as RcColor } from '@rc-component/color-picker/es/color'`,
    body: /^export const isBright = [^]*?^};$/m,
  },
  toNamePathStr: { imports: `import { toArray } from '../util'`, body: /^export function toNamePathStr[^]*?^}$/m },
}

/** Without this, each page would load two packages whole, and the parts of a form and of a colour picker. */
function lean(): Plugin {
  const presets = '../../color-picker/components/ColorPresets'
  const form = '../form/hooks/useForm'
  const parts: [file: RegExp, from: string, to: string][] = [
    [/\/antd\/es\/form\/context\.js$/, '@rc-component/form', '@rc-component/form/es/FormContext'],
    [/\/antd\/es\/color-picker\/color\.js$/, '@rc-component/color-picker', '@rc-component/color-picker/es/color'],
    [/\/antd\/es\/(button\/style\/token|tag\/style\/index)\.js$/, presets, `${presets}.js?isBright`],
    [/\/antd\/es\/radio\/group\.js$/, form, `${form}.js?toNamePathStr`],
  ]
  return {
    name: 'lean',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      const [file = id, name] = id.split('?')
      if (name === 'isBright' || name === 'toNamePathStr') {
        const { imports, body } = small[name]
        return { code: `${imports}\n${known(body.exec(code)?.[0], `${name} of Ant Design`)}`, map: null }
      }
      const part = parts.find(([one]) => one.test(file))
      if (!part) return null
      const [, from, to] = part
      if (!code.includes(`'${from}'`)) throw new Error(`${file} does not read ${from} any more`)
      return { code: code.replace(`'${from}'`, `'${to}'`), map: null }
    },
  }
}

/** Draws the installed app's icons from the logo: as it is, and with padding for devices that mask icons. */
function icons(): Plugin {
  const mark = readFileSync(join(import.meta.dirname, 'public/mark.svg'), 'utf8')
  const drawn = (svg: string, size: number) =>
    sharp(Buffer.from(svg), { density: (72 * size) / 32 })
      .resize(size)
      .png()
  const ground = /<rect[^>]* fill="([^"]+)"/.exec(mark)?.[1] ?? 'white'
  return {
    name: 'icons',
    apply: 'build',
    async generateBundle() {
      for (const size of [180, 192, 512])
        this.emitFile({ type: 'asset', fileName: `icon-${size}.png`, source: await drawn(mark, size).toBuffer() })
      const square = await drawn(mark.replace(/ rx="[^"]*"/, ''), 384).toBuffer()
      const around = { top: 64, bottom: 64, left: 64, right: 64, background: ground }
      this.emitFile({
        type: 'asset',
        fileName: 'icon-maskable-512.png',
        source: await sharp(square).extend(around).png().toBuffer(),
      })
    },
  }
}

/** Writes a `.gz` beside every text file of the build, which the API serves to browsers that accept gzip. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => /\.(js|css|html|svg|json|wasm)$/.test(file))) {
        const file = join(known(dir, 'the folder of the build'), name)
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
      }
    },
  }
}
