# One image for every role: `docker run … leadwire intake|delivery|api|worker|all`.
# Debian, not Alpine: the native core of the Temporal SDK needs glibc.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS base
WORKDIR /app

# The image has its Node; the one that the package brings for other machines is removed.
# Compiles, bundles the workflows, so that no worker has to when it starts, and builds the pages.
FROM base AS build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/.bin/node
COPY tsconfig.json ./
COPY src ./src
COPY workflows ./workflows
COPY activities ./activities
COPY cli ./cli
# The commit that the metrics show: docker build --build-arg COMMIT=$(git rev-parse --short=12 HEAD) .
ARG COMMIT=
RUN npm run build

FROM base AS dependencies
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM base AS runtime
# HOST is the container's own address: what is published, and where, is said outside.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    HEALTH_PORT=8081
COPY package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist/workflow-bundle.js ./dist/workflow-bundle.js
COPY --from=build /app/dist/web ./dist/web
COPY --from=build /app/dist/src ./dist/src
COPY --from=build /app/dist/workflows ./dist/workflows
COPY --from=build /app/dist/activities ./dist/activities
COPY --from=build /app/dist/cli ./dist/cli
# `node` of the base image, by number, so that an orchestrator can see it is not root. It owns no file here.
USER 1000:1000
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
# Ready, not only alive: an upgrade waits for it before it replaces the next process. Building indexes takes a while.
HEALTHCHECK --interval=15s --timeout=5s --start-period=600s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.HEALTH_PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The exec form: signals reach Node itself, and SIGTERM ends in an orderly stop.
ENTRYPOINT ["node", "--max-semi-space-size=32", "--enable-source-maps", "dist/src/main.js"]
