import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { type Plugin, defineConfig, loadEnv } from 'vite'

/** The web app: built to web/dist, which the API serves; `vite web` in development passes /api on to it. */
export default defineConfig(({ mode }) => {
  const api = loadEnv(mode, process.cwd(), 'API_')['API_URL'] ?? 'http://127.0.0.1:4400'
  return {
    root: import.meta.dirname,
    plugins: [react(), compressed()],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      manifest: true,
      target: 'es2023',
      chunkSizeWarningLimit: 1500,
      rolldownOptions: {
        output: {
          codeSplitting: {
            // What nearly every page needs comes in one file instead of in thirty; the rest splits by page.
            groups: [
              {
                name: 'base',
                test: /web\/(main|platform\/(api|session\/session|states|theme|live|router|clock|shell\/(bare|brand|language|person)|texts\/(texts|formats|ant)))/,
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

/** Writes a `.gz` beside every text file of the build: the API serves it as it is to browsers that take it. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => /\.(js|css|html|svg|json)$/.test(file))) {
        const file = join(dir!, name)
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
      }
    },
  }
}
