"""Software that is known by its name, and names that are common words too."""

from graphmem.model.knowledge import EntityType

# Comma-separated names; after '=' the other spellings of the same thing, each proposed as an alias.
LISTED: tuple[tuple[EntityType, str, str], ...] = (
    (
        EntityType.TOOL,
        "primary database",
        "PostgreSQL=Postgres=PostgresQL=PSQL, MySQL=My SQL, MariaDB, SQLite, MongoDB=Mongo, CockroachDB=Cockroach "
        "DB, Cassandra=Apache Cassandra, ScyllaDB, DynamoDB, Neo4j, Couchbase, CouchDB, InfluxDB, TimescaleDB, "
        "ClickHouse, DuckDB, Snowflake, BigQuery, Redshift, SQL Server=MSSQL=Microsoft SQL Server, Firestore, "
        "Supabase, Aurora, Spanner=Cloud Spanner, YugabyteDB, TiDB, FoundationDB, ArangoDB, Memgraph, Oracle "
        "Database=Oracle DB, Db2, RDS, RocksDB, LevelDB, LMDB, etcd, SurrealDB, RavenDB, FaunaDB, QuestDB, "
        "Vertica, Teradata, PostGIS",
    ),
    (
        EntityType.TOOL,
        "cache",
        "Redis, Memcached, Valkey, Hazelcast, Varnish",
    ),
    (
        EntityType.TOOL,
        "vector store",
        "Pinecone, Weaviate, Qdrant, Milvus, Chroma=ChromaDB, pgvector, LanceDB, FAISS",
    ),
    (
        EntityType.TOOL,
        "search engine",
        "Elasticsearch=Elastic Search, OpenSearch, Solr, Lucene, Meilisearch, Typesense",
    ),
    (
        EntityType.TOOL,
        "message broker",
        "Kafka=Apache Kafka, RabbitMQ=Rabbit MQ, NATS, ActiveMQ, Pulsar=Apache Pulsar, ZeroMQ, SQS, SNS, "
        "Redpanda, EventBridge, Kinesis, MQTT, Mosquitto",
    ),
    (
        EntityType.TOOL,
        "cloud provider",
        "AWS=Amazon Web Services, GCP=Google Cloud=Google Cloud Platform, Azure=Microsoft Azure, DigitalOcean, "
        "Hetzner, Heroku, Vercel, Netlify, Fly.io, Cloudflare, OVH, Linode, OpenStack",
    ),
    (
        EntityType.TOOL,
        "orchestrator",
        "Kubernetes=k8s=kube, Nomad, Docker Swarm, OpenShift, EKS, GKE, AKS, ECS, k3s, Fargate, kubectl",
    ),
    (
        EntityType.TOOL,
        "CI system",
        "GitHub Actions=Github Actions=GH Actions, Jenkins, CircleCI=Circle CI, Travis CI=TravisCI, GitLab "
        "CI=GitLab CI/CD, Buildkite, TeamCity, Argo CD=ArgoCD, Tekton, Drone CI, Azure DevOps, Azure Pipelines, "
        "Bitbucket Pipelines",
    ),
    (
        EntityType.TOOL,
        "code host",
        "GitHub, GitLab, Bitbucket, Gitea, Codeberg, SourceHut",
    ),
    (
        EntityType.TOOL,
        "language",
        "Python, Java, JavaScript, TypeScript, Go=Golang, Rust, Ruby, Kotlin, Scala, Swift, C++=cpp, C#=csharp, "
        "PHP, Perl, Haskell, Elixir, Erlang, Clojure, Lua, Dart, OCaml, F#, Zig, Fortran, COBOL, Objective-C, "
        "Groovy, SQL, Cypher, GraphQL, Bash, PowerShell, WebAssembly=WASM, Solidity, Terraform, HCL, Rego",
    ),
    (
        EntityType.TOOL,
        "web framework",
        "Django, Flask, FastAPI, Starlette, Rails=Ruby on Rails, Spring Boot=SpringBoot, Spring, "
        "Express=Express.js, NestJS, Next.js=NextJS, Nuxt=Nuxt.js, React=React.js=ReactJS, Vue=Vue.js, "
        "Angular=AngularJS, Svelte, SvelteKit, Laravel, Symfony, Phoenix, Gin, Actix, Axum, ASP.NET, .NET=dotnet, "
        "React Native, Flutter, Remix, Gatsby, Astro, htmx, jQuery, Tailwind=Tailwind CSS=TailwindCSS, Redux, "
        "Ember.js, Quarkus, Micronaut, Blazor",
    ),
    (
        EntityType.TOOL,
        "",
        "Docker, Docker Compose=docker-compose, Podman, Helm, Ansible, Pulumi, CloudFormation, Chef, Puppet, "
        "Vagrant, Vault=HashiCorp Vault, Consul, etcd, ZooKeeper=Zookeeper, Istio, Linkerd, Envoy, nginx=NGINX, "
        "HAProxy, Traefik, Caddy, Apache HTTP Server, Kong, gRPC, OpenAPI, Swagger, OAuth=OAuth2, OpenID "
        "Connect=OIDC, Keycloak, Auth0, Okta, Prometheus, Grafana, Datadog, New Relic, Sentry, Splunk, Kibana, "
        "Logstash, Fluentd, Loki, Jaeger, OpenTelemetry=OTel, PagerDuty, Opsgenie, Airflow=Apache Airflow, "
        "Dagster, Prefect, dbt, Spark=Apache Spark, Flink=Apache Flink, Hadoop, Hive, Presto, Trino, Databricks, "
        "Celery, Sidekiq, Temporal, Lambda=AWS Lambda, S3=Amazon S3, MinIO, CloudFront, CloudWatch, EC2, Route "
        "53, Git=git, Mercurial, Subversion=SVN, npm=NPM, pnpm, yarn, pip, Poetry, conda, uv, Cargo, Maven, "
        "Gradle, Bazel, CMake, webpack=Webpack, Vite, esbuild, Babel, ESLint, Prettier, Ruff, mypy, Pylint, "
        "pytest=PyTest, unittest, Jest, Mocha, Vitest, Cypress.io, Playwright, Selenium, JUnit, Hypothesis, "
        "SonarQube, Dependabot, Renovate, Node.js=NodeJS=Node.JS, Deno, Bun, JVM, OpenJDK, TensorFlow, PyTorch, "
        "scikit-learn, Keras, NumPy=numpy, pandas, SciPy, Jupyter, spaCy, LangChain, Ollama, vLLM, Hugging "
        "Face=HuggingFace, OpenCV, SQLAlchemy, Alembic, Pydantic=pydantic, Prisma, Hibernate, Sequelize, Flyway, "
        "Liquibase, Debezium, Kafka Connect, Linux, Ubuntu, Debian, Fedora, CentOS, Alpine Linux, Windows, "
        "macOS=MacOS, Android, iOS, VS Code=VSCode=Visual Studio Code, Visual Studio, IntelliJ=IntelliJ IDEA, "
        "PyCharm, Neovim=nvim, Vim, Emacs, Xcode, Android Studio, Postman, Insomnia REST, Slack, Discord, "
        "Microsoft Teams=MS Teams, Zoom, Jira=JIRA, Confluence, Notion, Trello, Asana, Linear, Figma, Obsidian, "
        "Miro, Google Docs, Google Sheets, Gmail, Stripe, PayPal, Twilio, SendGrid, Mailgun, Shopify, Salesforce, "
        "HubSpot, WordPress, Segment, Mixpanel, Amplitude, LaunchDarkly, Firebase, Looker, Tableau, Power BI, "
        "Metabase, Superset, WireGuard, Tailscale, OpenSSL, LaTeX, Markdown, Protobuf=Protocol Buffers, Avro, "
        "Parquet, WebSocket=WebSockets, Kustomize, Backstage, Unleash, FFmpeg, ImageMagick, HTTPX=httpx, aiohttp, "
        "nox, tox, isort, flake8, Pyright, Gunicorn, Uvicorn, Dask, Polars, Plotly, Matplotlib, Streamlit, "
        "MLflow, Kubeflow, XGBoost, LightGBM, lodash, axios, Moment.js, date-fns, Zod, tRPC, Storybook, "
        "Turborepo, Rollup.js, Electron.js, Zustand, Alpine.js, Three.js, D3.js, Chart.js, Leaflet.js, Mapbox, "
        "OpenStreetMap, RxJS, Socket.IO, Puppeteer, Cheerio, Biome, Husky, Apache Druid, Apache Iceberg, Delta "
        "Lake, Apache NiFi, Apache Beam, Fivetran, Airbyte, Great Expectations, ksqlDB, Crossplane, Flux "
        "CD=FluxCD, Spinnaker, HashiCorp Packer, Terragrunt, OpenTofu, Rancher, MetalLB, Cilium, CoreDNS, "
        "cert-manager, Velero, Ceph, GlusterFS, ZFS, Proxmox, VMware, VirtualBox, QEMU, KVM, systemd, "
        "Alertmanager, Thanos, Zabbix, Nagios, Icinga, Telegraf, VictoriaMetrics, Graphite, StatsD, Fluent Bit, "
        "Filebeat, Graylog, Rollbar, Bugsnag, Honeycomb.io, Dynatrace, Statuspage, Pingdom, UptimeRobot, "
        "Bitwarden, 1Password, LastPass, KeePass, Snyk, Trivy, Semgrep, CodeQL, OpenVPN, OpenLDAP, Active "
        "Directory, Kerberos, FreeIPA, Authentik, Authelia, Amazon Cognito, Entra ID, BorgBackup, Restic, rsync, "
        "rclone, Duplicati, Nextcloud, ownCloud, Airtable, Basecamp, ClickUp, Monday.com, Todoist, Evernote, "
        "OneDrive, Dropbox, Google Drive, SharePoint, Google Calendar, Google Meet, Webex, Calendly, DocuSign, "
        "Typeform, SurveyMonkey, Mailchimp, Postmark, Brevo, Zendesk, Freshdesk, Intercom, Plaid, Adyen, "
        "Braintree, Klarna, Xero, QuickBooks, SAP, NetSuite, Workday, Odoo, DATEV, Personio, BambooHR, Webflow, "
        "Squarespace, Contentful, Strapi, Drupal, TYPO3, Magento, InVision, Canva, FigJam, Lucidchart, "
        "Mermaid.js, Zotero, Mendeley, Overleaf, Typst, Pandoc, MkDocs, Docusaurus, Jekyll, Telegram, Threema, "
        "Mattermost, Rocket.Chat, Strava, Duolingo, Google Analytics, Matomo, Plausible Analytics, PostHog, "
        "Algolia, Cloudinary, imgix, Fastly, Akamai, Tomcat, Jetty, IIS, Wasmtime, KRaft, Sonatype Nexus, "
        "Artifactory, GHCR, Docker Hub, PyPI, crates.io, Maven Central, Arduino, Raspberry Pi, ESP32, Zigbee, "
        "Home Assistant, Node-RED, Grafana Tempo, Cucumber.js, Locust.io, JMeter, Gatling, TestRail, "
        "BrowserStack, Tekla, AutoCAD, SolidWorks, QGIS, ArcGIS, MATLAB, Mathematica, Stata, SPSS, RStudio, "
        "ggplot2, Excel=Microsoft Excel, Outlook=Microsoft Outlook, Photoshop, Lightroom, Let's Encrypt, "
        "Chrome=Google Chrome, Chromium, Firefox, Safari, MSVC, GCC, Clang, LLVM, CUDA, NTP, CUPS, "
        "SMTP, ProseMirror, CodeMirror, Electron",
    ),
    (
        EntityType.ORGANISATION,
        "",
        "YouTube, LinkedIn, OpenAI, JetBrains, SpaceX, TikTok, WhatsApp, FedEx, McDonald's, DreamWorks",
    ),
    (
        EntityType.UNKNOWN,
        "",
        "iPhone, iPad, MacBook, PlayStation, AirPods, HelloFresh, eBay, DoorDash, PowerPoint, OneNote",
    ),
)

# Also common words or people: they count only capitalised, inside a sentence, in a text that is about software.
AMBIGUOUS = """
    go rust ruby swift dart scala spring express react angular phoenix gin remix gatsby astro chef puppet vault
    consul nomad helm envoy kong spark hive presto flink celery temporal lambda git cargo maven poetry babel
    prettier mocha jest yarn slack discord zoom notion linear segment amplitude windows loki aurora spanner
    snowflake cassandra pulsar milvus chroma lucene java perl jenkins conda bun keras pandas kube pip uv vim
    figma stripe looker tableau superset rds prefect caddy varnish unleash backstage hypothesis renovate
    hibernate alembic mongo vue groovy zig bash lua elixir clojure flask terraform sns ecs markdown avro
    parquet subversion mercurial oracle redux solidity cypher hcl thanos graphite kerberos biome nox tox husky
    workday
    excel outlook rancher plaid sap intercom postmark telegram biome iis polars dask plotly restic rsync electron
    clang safari"""
