import { defineConfig } from "vite";

// The server's content security policy is default-src 'self': nothing inline, no data: addresses.
export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    target: "es2021",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Loaded beside the page that draws with it, and kept by browsers when only the page changes.
    rollupOptions: { output: { manualChunks: { uplot: ["uplot"] } } },
  },
  server: {
    host: "127.0.0.1",
    // A running `macrostep serve` or dev/mock_server.mjs answers the API.
    proxy: { "/api": { target: "http://127.0.0.1:8080", changeOrigin: true } },
  },
});
